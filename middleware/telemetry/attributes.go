package telemetry

import (
	"go.opentelemetry.io/otel/attribute"
	semconv "go.opentelemetry.io/otel/semconv/v1.41.0"

	"github.com/strata-go/strata"
)

// requestAttributes are the settings of a request.
func requestAttributes(req *strata.Request) []attribute.KeyValue {
	var attrs []attribute.KeyValue
	if req.MaxOutputTokens > 0 {
		attrs = append(attrs, semconv.GenAIRequestMaxTokens(req.MaxOutputTokens))
	}
	if req.TopK != nil {
		attrs = append(attrs, semconv.GenAIRequestTopKKey.Float64(float64(*req.TopK)))
	}
	if req.Seed != nil {
		attrs = append(attrs, semconv.GenAIRequestSeedKey.Int64(*req.Seed))
	}
	for key, value := range map[attribute.Key]*float64{
		semconv.GenAIRequestTemperatureKey:      req.Temperature,
		semconv.GenAIRequestTopPKey:             req.TopP,
		semconv.GenAIRequestPresencePenaltyKey:  req.PresencePenalty,
		semconv.GenAIRequestFrequencyPenaltyKey: req.FrequencyPenalty,
	} {
		if value != nil {
			attrs = append(attrs, key.Float64(*value))
		}
	}
	if f := req.ResponseFormat; f != nil {
		attrs = append(attrs, semconv.GenAIOutputTypeKey.String(string(f.Type)))
	}
	return attrs
}

// usage gives the counts that were reported.
func usage(u strata.Usage, input, output attribute.Key) []attribute.KeyValue {
	return counts(map[attribute.Key]int64{input: u.InputTokens, output: u.OutputTokens})
}

func usageDetails(u strata.Usage) []attribute.KeyValue {
	return counts(map[attribute.Key]int64{
		semconv.GenAIUsageCacheReadInputTokensKey:     u.CachedInputTokens,
		semconv.GenAIUsageCacheCreationInputTokensKey: u.CacheWriteTokens,
		semconv.GenAIUsageReasoningOutputTokensKey:    u.ReasoningTokens,
	})
}

func counts(tokens map[attribute.Key]int64) []attribute.KeyValue {
	var attrs []attribute.KeyValue
	for key, n := range tokens {
		if n > 0 {
			attrs = append(attrs, key.Int64(n))
		}
	}
	return attrs
}
