package failure_test

import (
	"testing"
	"time"

	"github.com/strata-go/strata/failure"
)

// TestClassifyLookalikes has ordinary failures of one kind in words of another:
// names of models, parameters and tools, links, advice, and the caller's own
// text.
func TestClassifyLookalikes(t *testing.T) {
	run(t, []fixture{
		// Throttles that speak of money, plans and windows.
		{"a throttle with a link to quotas", 429, `{"error":{"message":"Too many requests. Learn more: https://example.com/docs/quota-exceeded/insufficient_quota."}}`, failure.Rate, 0},
		{"a throttle behind which a bucket of a day is named", 429, `{"error":{"message":"Rate limit exceeded. For details of daily limits, see https://example.com/limits."}}`, failure.Rate, 0},
		{"a throttle that sells credits", 429, `{"error":{"message":"Rate limited. Purchase credits to raise the limit."}}`, failure.Rate, 0},
		{"a throttle of free credits", 429, `{"error":{"message":"Free credits have rate limits in place. Try again later.","type":"rate_limit_exceeded"}}`, failure.Rate, 0},
		{"a throttle that mentions the context page", 429, `{"error":{"message":"Rate limit reached, see https://example.com/context_length_exceeded","type":"requests"}}`, failure.Rate, 0},
		{"a throttle on tokens", 429, `{"error":{"message":"Too many tokens in the last minute, slow down"}}`, failure.Rate, 0},
		{"a throttle for one key", 429, `{"error":{"message":"Too many requests for this API key"}}`, failure.Rate, 0},
		{"quotas to look up", 429, `{"message":"The rate of requests is too high. Look up the quotas of your model."}`, failure.Rate, 0},
		{"a limit that is not zero", 429, `{"error":{"message":"Rate limit of 0.5 requests per second exceeded"}}`, failure.Rate, 0},
		{"a limit of ten", 429, `{"error":{"message":"Rate limit: 10 requests"}}`, failure.Rate, 0},

		{"a day behind a link", 429, `{"error":{"message":"Quota used. For more information, head to: https://example.com/api/rate-limits.","details":[{"violations":[{"quotaId":"RequestsPerDayPerModel-FreeTier"}]},{"retryDelay":"34s"}]}}`, failure.Quota, 34 * time.Second},

		// Names of models.
		{"a model named for a unit", 429, `{"error":{"message":"acme/minimum-1 is rate limited"}}`, failure.Rate, 0},
		{"a model named for a day", 429, `{"error":{"message":"Too many requests to acme/daybreak-2"}}`, failure.Rate, 0},
		{"a model named for a month", 400, `{"error":{"message":"acme/monthly: temperature is out of bounds"}}`, failure.Invalid, 0},
		{"a model named long-context", 429, `{"error":{"message":"Rate limit reached for acme-long-context-1m"}}`, failure.Rate, 0},
		{"a model named for a quota", 503, `{"error":{"message":"quota-llm-7b is overloaded"}}`, failure.Overload, 0},
		{"a model named for auth", 429, `{"error":{"message":"too many requests for auth-guard-9b"}}`, failure.Rate, 0},
		{"a model named for timeouts", 404, `{"error":{"message":"The model timeout-predictor-2 does not exist","code":"model_not_found"}}`, failure.Model, 0},
		{"a model named for safety", 503, `{"error":{"message":"llama-guard-safety is temporarily unavailable"}}`, failure.Overload, 0},
		{"a model named for limits", 404, `{"error":{"message":"The model rate-limit-oracle was not found"}}`, failure.Model, 0},
		{"a model that filters", 404, `{"error":{"message":"model acme/content-filter-v2 not found"}}`, failure.Model, 0},
		{"a model that filters, quoted", 404, "{\"error\":{\"message\":\"The model `content-filter-1` does not exist\"}}", failure.Model, 0},
		{"a model named for a code", 503, `{"error":{"message":"Model 'insufficient_quota' is overloaded"}}`, failure.Overload, 0},
		{"a model named for a unit, that is gone", 410, `{"detail":"The model 'acme/minimum-m2' has reached its end of life."}`, failure.Model, 0},

		// Parameters and their values.
		{"a parameter named context", 400, `{"error":{"message":"Invalid value for 'context': expected a string"}}`, failure.Invalid, 0},
		{"a parameter named context_window", 400, `{"error":{"message":"Unrecognized request argument supplied: context_window"}}`, failure.Invalid, 0},
		{"a parameter named quota", 422, `{"detail":[{"loc":["body","quota"],"msg":"Field required","type":"missing"}]}`, failure.Invalid, 0},
		{"a parameter named billing", 400, `{"error":{"message":"billing must be a string"}}`, failure.Invalid, 0},
		{"a parameter named safety_settings", 400, `{"error":{"message":"safety_settings[0].threshold: invalid value"}}`, failure.Invalid, 0},
		{"a parameter named rate_limit", 400, `{"error":{"message":"Extra inputs are not permitted: rate_limit"}}`, failure.Invalid, 0},
		{"a parameter named api_key", 400, `{"error":{"message":"Unknown parameter: 'api_key'."}}`, failure.Invalid, 0},
		{"a parameter named timeout_ms", 400, `{"error":{"message":"Invalid type for 'timeout_ms': expected an integer, got a string"}}`, failure.Invalid, 0},
		{"an output that is too long", 400, `{"error":{"message":"max_tokens: 9000 > 8192, which is the maximum allowed number of output tokens"}}`, failure.Invalid, 0},
		{"an output that the model cannot make", 400, `{"message":"too many tokens: max tokens must be at most 4096, the maximum output for this model"}`, failure.Invalid, 0},
		{"a budget of thinking", 400, `{"error":{"message":"max_tokens must be greater than thinking.budget_tokens, see https://example.com/context-window"}}`, failure.Invalid, 0},
		{"thinking that cannot be disabled", 400, `{"error":{"message":"This model needs thinking; it cannot be disabled."}}`, failure.Invalid, 0},
		{"a tool that cannot be streamed", 400, `{"error":{"message":"Tools can only be used with stream set to false"}}`, failure.Invalid, 0},
		{"too many images", 400, `{"error":{"message":"Too many images: 21 > 20"}}`, failure.Invalid, 0},
		{"a header of a beta", 400, `{"error":{"message":"Unexpected value(s) context-1m for the beta header"}}`, failure.Invalid, 0},
		{"a schema that is too deep", 400, `{"error":{"message":"Schema exceeds the maximum depth of 5 levels"}}`, failure.Invalid, 0},
		{"a tool's name that is too long", 400, `{"error":{"message":"Invalid 'tools[0].name': string too long. Expected at most 64 characters."}}`, failure.Invalid, 0},

		// The caller's own text, quoted.
		{"an echoed prompt about quotas", 400, `{"error":{"message":"Invalid message: got 'You exceeded your current quota'"}}`, failure.Invalid, 0},
		{"an echoed message about keys", 422, `{"detail":[{"msg":"Input should be a list","input":"invalid api key","loc":["body","messages"]}]}`, failure.Invalid, 0},
		{"a call of a tool about rates", 400, `{"error":{"message":"Failed to call a function","code":"tool_use_failed","failed_generation":"{\"name\":\"explain\",\"arguments\":\"rate limit exceeded\"}"}}`, failure.Invalid, 0},
		{"a tool named for quotas", 400, `{"error":{"message":"Invalid schema for function 'check_quota_exceeded'","code":"invalid_function_parameters"}}`, failure.Invalid, 0},
		{"an input that was flagged", 403, `{"error":{"code":403,"message":"Your input was flagged","metadata":{"reasons":["x"],"flagged_input":"context length exceeded"}}}`, failure.Content, 0},
		{"messages beside the error", 400, `{"error":{"message":"bad request"},"messages":[{"role":"user","content":"context_length_exceeded"}]}`, failure.Invalid, 0},

		// Refusals of other kinds.
		{"an account that is flagged", 403, `{"error":{"message":"Your account was flagged for abuse.","type":"access_terminated"}}`, failure.Auth, 0},
		{"a signature that is not a key's", 400, "{\"error\":{\"message\":\"messages.1: Invalid `signature` in `thinking` block\"}}", failure.Invalid, 0},
		{"a number of Mistral's", 500, `{"object":"error","message":"Oops","type":"internal_server_error","code":"1000"}`, failure.Overload, 0},
		{"a number of Mistral's that is Zhipu's filter", 429, `{"object":"error","message":"Slow","type":"rate_limited","code":"1301"}`, failure.Rate, 0},
		{"a key that lacks a grant", 403, `{"error":{"message":"Your API key does not have permission to use this."}}`, failure.Entitlement, 0},
		{"a place without a model", 400, `{"error":{"message":"The model is not available in your region"}}`, failure.Entitlement, 0},
		{"a response that is not stored", 404, `{"error":{"message":"Item rs_1 not found. Items are not kept when store is false."}}`, failure.Invalid, 0},
		{"a batch that is not there", 404, `{"error":{"message":"No such batch"}}`, failure.Invalid, 0},
		{"a capacity that has nothing to do with plans", 429, `{"error":{"message":"At maximum capacity, upgrade not needed"}}`, failure.Overload, 0},
		{"a balancer without hosts", 503, `{"error":{"message":"Insufficient hosts behind the load balancer"}}`, failure.Overload, 0},
		{"a balancer", 503, `{"error":{"message":"The load balancer has no healthy upstream"}}`, failure.Overload, 0},
		{"a credit that is given", 500, `{"error":{"message":"internal error, no charge was made to your credit card"}}`, failure.Overload, 0},
		{"an expired cache", 400, `{"error":{"message":"Cached content expired"}}`, failure.Invalid, 0},
		{"an expired file", 400, `{"error":{"message":"The file has expired; upload it again"}}`, failure.Invalid, 0},
		{"an error code of another kind", 400, `{"error":{"message":"bad","code":"1000001"}}`, failure.Invalid, 0},
	})
}
