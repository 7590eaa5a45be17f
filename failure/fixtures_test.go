package failure_test

import (
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/strata-go/strata/failure"
)

// A fixture is the shape of a failure as a provider sends it, in words of this
// test's own.
type fixture struct {
	name   string
	status int // 0: inside a 200 stream
	body   string
	want   failure.Kind
	wait   time.Duration
}

// TestClassifyProviders goes through the providers: their envelopes, codes and
// manner of wording.
func TestClassifyProviders(t *testing.T) {
	run(t, []fixture{
		{"openai: quota", 429, `{"error":{"message":"No more quota.","type":"insufficient_quota","code":"insufficient_quota"}}`, failure.Quota, 0},
		{"openai: hard limit", 400, `{"error":{"message":"Billing hard limit has been reached","type":"invalid_request_error","code":"billing_hard_limit_reached"}}`, failure.Quota, 0},
		{"openai: tokens per minute", 429, `{"error":{"message":"Rate limit reached for gpt-x in organization org-1 on tokens per min (TPM): Limit 10000, Used 9000, Requested 2000. Please try again in 6.2s. Visit https://platform.openai.com/account/rate-limits.","type":"tokens","code":"rate_limit_exceeded"}}`, failure.Rate, 6200 * time.Millisecond},
		{"openai: requests per day", 429, `{"error":{"message":"Rate limit reached for gpt-x on requests per day (RPD): Limit 200, Used 200, Requested 1. Please try again in 7m12s.","type":"requests","code":"rate_limit_exceeded"}}`, failure.Quota, 432 * time.Second},
		{"openai: larger than the cap", 429, `{"error":{"message":"Request for gpt-x on tokens per min (TPM): Limit 30,000, Requested 42,000.","type":"tokens","code":"rate_limit_exceeded"}}`, failure.Context, 0},
		{"openai: server error", 500, `{"error":{"message":"The server had an error while processing your request. Sorry about that!","type":"server_error","code":null}}`, failure.Overload, 0},
		{"openai: unverified organization", 404, `{"error":{"message":"Your organization must be verified to use the model o9.","type":"invalid_request_error","code":"model_not_found"}}`, failure.Entitlement, 0},
		{"openai: project without the model", 403, `{"error":{"message":"Project p does not have access to model gpt-x","type":"invalid_request_error","code":"model_not_found"}}`, failure.Entitlement, 0},
		{"openai: missing scope", 401, `{"error":{"message":"You have insufficient permissions for this operation. Missing scopes: model.request.","type":"invalid_request_error","code":null}}`, failure.Entitlement, 0},
		{"openai: unverified for a parameter", 400, `{"error":{"message":"Your organization must be verified to stream.","type":"invalid_request_error","param":"stream","code":"unsupported_value"}}`, failure.Entitlement, 0},
		{"openai: key missing", 400, `{"error":{"message":"The API key is missing","type":"auth"}}`, failure.Auth, 0},
		{"openai: no key", 401, `{"error":{"message":"You didn't provide an API key.","type":"invalid_request_error","code":null}}`, failure.Auth, 0},
		{"openai: flagged prompt", 400, `{"error":{"message":"Invalid prompt: your prompt was flagged as potentially violating our usage policy.","type":"invalid_request_error","code":"invalid_prompt"}}`, failure.Content, 0},
		{"openai: image refused", 400, `{"error":{"message":"Your request was rejected by the safety system.","type":"image_generation_user_error","code":"moderation_blocked"}}`, failure.Content, 0},
		{"openai: message too long", 400, `{"error":{"message":"Invalid 'messages[0].content': string too long. Expected at most 1048576 characters.","type":"invalid_request_error","param":"messages[0].content","code":"string_above_max_length"}}`, failure.Context, 0},
		{"openai: other string too long", 400, `{"error":{"message":"Invalid 'user': string too long. Expected at most 64 characters.","type":"invalid_request_error","param":"user","code":"string_above_max_length"}}`, failure.Invalid, 0},
		{"openai: output limit too high", 400, `{"error":{"message":"max_tokens is too large: 100000. This model supports at most 16384 completion tokens.","type":"invalid_request_error","param":"max_tokens","code":"invalid_value"}}`, failure.Invalid, 0},
		{"openai: slow down", 503, `{"error":{"message":"Slow down.","type":"server_error","code":"slow_down"}}`, failure.Overload, 0},
		{"openai: failed in the stream", 0, `{"type":"response.failed","response":{"status":"failed","error":{"code":"rate_limit_exceeded","message":"Limit on tokens per min. Please try again in 11.054s."}}}`, failure.Rate, 11054 * time.Millisecond},
		{"codex: usage limit", 429, `{"error":{"type":"usage_limit_reached","message":"Limit reached","resets_in_seconds":3600}}`, failure.Quota, time.Hour},
		{"codex: usage not included", 429, `{"error":{"type":"usage_not_included","message":"To use Codex, upgrade."}}`, failure.Entitlement, 0},

		{"anthropic: overloaded", 529, `{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}`, failure.Overload, 0},
		{"anthropic: api error in the stream", 0, `{"type":"error","error":{"type":"api_error","message":"Internal server error"}}`, failure.Overload, 0},
		{"anthropic: rate in the stream", 0, "event: error\ndata: {\"type\":\"error\",\"error\":{\"type\":\"rate_limit_error\",\"message\":\"Number of tokens has exceeded your per-minute rate limit\"}}\n\n", failure.Rate, 0},
		{"anthropic: daily rate", 429, `{"type":"error","error":{"type":"rate_limit_error","message":"Number of requests has exceeded your daily rate limit"}}`, failure.Quota, 0},
		{"anthropic: credit", 400, `{"type":"error","error":{"type":"invalid_request_error","message":"Your credit balance is too low to access the API. Please go to Plans & Billing."}}`, failure.Quota, 0},
		{"anthropic: prompt too long", 400, `{"type":"error","error":{"type":"invalid_request_error","message":"prompt is too long: 210000 tokens > 200000 maximum"}}`, failure.Context, 0},
		{"anthropic: too many bytes", 413, `{"type":"error","error":{"type":"request_too_large","message":"Request exceeds the maximum size"}}`, failure.Context, 0},
		{"anthropic: unknown model", 404, `{"type":"error","error":{"type":"not_found_error","message":"model: claude-9"}}`, failure.Model, 0},
		{"anthropic: permission", 403, `{"type":"error","error":{"type":"permission_error","message":"Your API key does not have permission to use the specified resource."}}`, failure.Entitlement, 0},
		{"anthropic: bad key", 401, `{"type":"error","error":{"type":"authentication_error","message":"invalid x-api-key"}}`, failure.Auth, 0},
		{"anthropic: token revoked", 403, `{"type":"error","error":{"type":"permission_error","message":"The token has been revoked."}}`, failure.Auth, 0},
		{"anthropic: five hours", 429, `{"type":"error","error":{"type":"rate_limit_error","message":"5-hour limit reached"}}`, failure.Quota, 0},
		{"anthropic: organization disabled", 403, `{"type":"error","error":{"type":"invalid_request_error","message":"This organization has been disabled."}}`, failure.Auth, 0},
		{"anthropic: filtered output", 400, `{"type":"error","error":{"type":"invalid_request_error","message":"Output blocked by content filtering policy"}}`, failure.Content, 0},
		{"anthropic: subscription limit", 429, `{"type":"error","error":{"type":"rate_limit_error","message":"This request would exceed your account's rate limit. Please try again later."}}`, failure.Rate, 0},
		{"anthropic: thinking budget", 400, `{"type":"error","error":{"type":"invalid_request_error","message":"max_tokens must be greater than thinking.budget_tokens"}}`, failure.Invalid, 0},
		{"anthropic: tool ids", 400, `{"type":"error","error":{"type":"invalid_request_error","message":"messages.2: tool_use ids were found without tool_result blocks immediately after"}}`, failure.Invalid, 0},
		{"anthropic: timeout", 504, `{"type":"error","error":{"type":"timeout_error","message":"Request timed out"}}`, failure.Timeout, 0},

		{"gemini: per minute, in the words of billing", 429, `{"error":{"code":429,"message":"You exceeded your current quota, please check your plan and billing details.","status":"RESOURCE_EXHAUSTED","details":[{"@type":"type.googleapis.com/google.rpc.QuotaFailure","violations":[{"quotaMetric":"g/requests","quotaId":"GenerateRequestsPerMinutePerProjectPerModel-FreeTier","quotaValue":"5"}]},{"@type":"type.googleapis.com/google.rpc.RetryInfo","retryDelay":"34.5s"}]}}`, failure.Rate, 34500 * time.Millisecond},
		{"gemini: per day with a short delay", 429, `{"error":{"code":429,"message":"You exceeded your current quota, please check your plan and billing details. Please retry in 20s.","status":"RESOURCE_EXHAUSTED","details":[{"@type":"type.googleapis.com/google.rpc.QuotaFailure","violations":[{"quotaId":"GenerateRequestsPerDayPerProjectPerModel-FreeTier"}]},{"@type":"type.googleapis.com/google.rpc.RetryInfo","retryDelay":"20s"}]}}`, failure.Quota, 20 * time.Second},
		{"gemini: quota, soon free", 429, `{"error":{"code":429,"message":"You exceeded your current quota. Please retry in 12.25s.","status":"RESOURCE_EXHAUSTED"}}`, failure.Rate, 12250 * time.Millisecond},
		{"gemini: quota, nothing more said", 429, `{"error":{"code":429,"message":"You exceeded your current quota, please check your plan and billing details.","status":"RESOURCE_EXHAUSTED"}}`, failure.Quota, 0},
		{"gemini: exhausted", 429, `{"error":{"code":429,"message":"Resource has been exhausted (e.g. check quota).","status":"RESOURCE_EXHAUSTED"}}`, failure.Rate, 0},
		{"gemini: place", 400, `{"error":{"code":400,"message":"User location is not supported for the API use.","status":"FAILED_PRECONDITION"}}`, failure.Entitlement, 0},
		{"gemini: model", 404, `{"error":{"code":404,"message":"models/gemini-9 is not found for API version v1beta, or is not supported for generateContent.","status":"NOT_FOUND"}}`, failure.Model, 0},
		{"gemini: internal", 500, `{"error":{"code":500,"message":"An internal error has occurred.","status":"INTERNAL"}}`, failure.Overload, 0},
		{"gemini: deadline", 504, `{"error":{"code":504,"message":"Deadline expired before operation could complete.","status":"DEADLINE_EXCEEDED"}}`, failure.Timeout, 0},
		{"gemini: bad field", 400, `{"error":{"code":400,"message":"Invalid JSON payload received. Unknown name \"timeout\": Cannot find field.","status":"INVALID_ARGUMENT"}}`, failure.Invalid, 0},
		{"gemini: leaked key", 403, `{"error":{"code":403,"message":"Your API key was reported as leaked. Please use another API key.","status":"PERMISSION_DENIED"}}`, failure.Auth, 0},
		{"gemini: anonymous", 403, `{"error":{"code":403,"message":"Method doesn't allow unregistered callers.","status":"PERMISSION_DENIED"}}`, failure.Auth, 0},
		{"gemini: blocked prompt", 0, `{"promptFeedback":{"blockReason":"PROHIBITED_CONTENT"}}`, failure.Content, 0},
		{"code assist: capacity used up", 429, `{"error":{"code":429,"message":"You have exhausted your capacity on this model. Your quota will reset after 2h52m39s.","status":"RESOURCE_EXHAUSTED","details":[{"@type":"type.googleapis.com/google.rpc.ErrorInfo","reason":"QUOTA_EXHAUSTED"}]}}`, failure.Quota, 2*time.Hour + 52*time.Minute + 39*time.Second},
		{"vertex: model or access", 404, `[{"error":{"code":404,"message":"Publisher Model 'projects/p/models/m' was not found or your project does not have access to it.","status":"NOT_FOUND"}}]`, failure.Model, 0},
		{"vertex: permission", 403, `{"error":{"code":403,"message":"Permission 'aiplatform.endpoints.predict' denied on resource.","status":"PERMISSION_DENIED","details":[{"reason":"IAM_PERMISSION_DENIED"}]}}`, failure.Entitlement, 0},
		{"vertex: too many tokens", 400, `{"error":{"code":400,"message":"Unable to submit request because the input token count is 40000 but the model only supports up to 32768.","status":"INVALID_ARGUMENT"}}`, failure.Context, 0},

		{"bedrock: not authorized", 403, `{"__type":"com.amazon.coral.service#AccessDeniedException","Message":"User: arn:aws:iam::1:user/u is not authorized to perform: bedrock:InvokeModel"}`, failure.Entitlement, 0},
		{"bedrock: bad token", 403, `{"__type":"UnrecognizedClientException","message":"The security token included in the request is invalid."}`, failure.Auth, 0},
		{"bedrock: expired token", 403, `{"__type":"ExpiredTokenException","message":"The security token included in the request is expired"}`, failure.Auth, 0},
		{"bedrock: too long", 400, `{"message":"Input is too long for requested model."}`, failure.Context, 0},
		{"bedrock: on-demand", 400, `{"message":"Invocation of model ID m with on-demand throughput isn't supported. Retry your request with the ID of an inference profile that contains this model."}`, failure.Model, 0},
		{"bedrock: not ready", 429, `{"__type":"ModelNotReadyException","message":"Model is not ready for inference."}`, failure.Overload, 0},
		{"bedrock: model timeout", 408, `{"__type":"ModelTimeoutException","message":"Model timed out"}`, failure.Timeout, 0},
		{"bedrock: unavailable in the stream", 0, `{"serviceUnavailableException":{"message":"Bedrock is unable to process your request."}}`, failure.Overload, 0},
		{"bedrock: validation in the stream", 0, `{"validationException":{"message":"Malformed input request: #: required key [messages] not found"}}`, failure.Invalid, 0},
		{"bedrock: use case form", 404, `{"message":"Model use case details have not been submitted for this account. Fill out the form before using the model."}`, failure.Entitlement, 0},

		{"azure: deployment", 404, `{"error":{"code":"DeploymentNotFound","message":"The API deployment for this resource does not exist. If you created it within the last 5 minutes, please wait a moment and try again."}}`, failure.Model, 0},
		{"azure: wrong key", 401, `{"error":{"code":"401","message":"Access denied due to invalid subscription key or wrong API endpoint."}}`, failure.Auth, 0},
		{"azure: network rules", 403, `{"error":{"code":"403","message":"Access denied due to Virtual Network/Firewall rules."}}`, failure.Entitlement, 0},
		{"azure: no such path", 404, `{"error":{"code":"404","message":"Resource not found"}}`, failure.Invalid, 0},
		{"azure: no capacity", 429, `{"error":{"code":"NoCapacity","message":"The system is currently experiencing high demand. Please try again later."}}`, failure.Overload, 0},
		{"azure: inner error only", 400, `{"error":{"code":"BadRequest","message":"See inner error.","innererror":{"code":"ResponsibleAIPolicyViolation"}}}`, failure.Content, 0},
		{"azure: operation timed out", 408, `{"error":{"code":"Timeout","message":"The operation was timeout."}}`, failure.Timeout, 0},
		{"github models: by day", 429, `{"error":{"code":"RateLimitReached","message":"Rate limit of 50 per 86400s exceeded for UserByModelByDay. Please wait 3600 seconds before retrying."}}`, failure.Quota, time.Hour},
		{"github models: by minute", 429, `{"error":{"code":"RateLimitReached","message":"Rate limit of 10 per 60s exceeded for UserByModelByMinute. Please wait 20 seconds before retrying."}}`, failure.Rate, 20 * time.Second},
		{"github models: unknown", 400, `{"error":{"code":"unknown_model","message":"Unknown model: x"}}`, failure.Model, 0},
		{"github models: no access", 403, `{"error":{"code":"no_access","message":"No access to model: openai/x"}}`, failure.Entitlement, 0},
		{"copilot: quota", 402, `{"error":{"message":"You have exceeded your premium request allowance.","code":"quota_exceeded"}}`, failure.Quota, 0},
		{"copilot: prompt tokens", 400, `{"error":{"message":"prompt token count of 130000 exceeds the limit of 128000","code":"model_max_prompt_tokens_exceeded"}}`, failure.Context, 0},
		{"copilot: other endpoint", 400, `{"error":{"message":"model \"gpt-x\" is not accessible via the /chat/completions endpoint","code":"unsupported_api_for_model"}}`, failure.Model, 0},

		{"openrouter: free models per day", 429, `{"error":{"message":"Rate limit exceeded: free-models-per-day. Add 10 credits to unlock 1000 free model requests per day","code":429,"metadata":{"headers":{"X-RateLimit-Limit":"50","X-RateLimit-Remaining":"0"}}}}`, failure.Quota, 0},
		{"openrouter: free models per minute", 429, `{"error":{"message":"Rate limit exceeded: free-models-per-min. ","code":429}}`, failure.Rate, 0},
		{"openrouter: raw text upstream", 429, `{"error":{"message":"Provider returned error","code":429,"metadata":{"raw":"vendor/m is temporarily rate-limited upstream. Please retry shortly, or add your own key: https://openrouter.ai/settings/integrations","provider_name":"V"}}}`, failure.Rate, 0},
		{"openrouter: raw overflow upstream", 400, `{"error":{"message":"Provider returned error","code":400,"metadata":{"raw":"{\"error\":{\"message\":\"This endpoint's maximum context length is 8192 tokens. However, you requested about 9000 tokens.\"}}","provider_name":"V"}}}`, failure.Context, 0},
		{"openrouter: moderation", 403, `{"error":{"code":403,"message":"Input was flagged","metadata":{"reasons":["violence"],"flagged_input":"how to rate limit exceeded","provider_name":"V"}}}`, failure.Content, 0},
		{"openrouter: no endpoints", 404, `{"error":{"message":"No endpoints found that support tool use.","code":404}}`, failure.Model, 0},
		{"openrouter: invalid id", 400, `{"error":{"message":"vendor/x is not a valid model ID","code":400}}`, failure.Model, 0},
		{"openrouter: no credentials", 401, `{"error":{"message":"No auth credentials found","code":401}}`, failure.Auth, 0},
		{"openrouter: provider gone in the stream", 0, `{"id":"g","error":{"code":502,"message":"Provider disconnected unexpectedly"},"choices":[{"delta":{"content":"insufficient_quota"}}]}`, failure.Overload, 0},

		{"groq: request too large", 413, `{"error":{"message":"Request too large for model m in organization o service tier on_demand on tokens per minute (TPM): Limit 6000, Requested 12000, please reduce your message size and try again. Need more tokens? Upgrade to Dev Tier today at https://console.groq.com/settings/billing","type":"tokens","code":"rate_limit_exceeded"}}`, failure.Context, 0},
		{"groq: tokens per minute", 429, `{"error":{"message":"Rate limit reached for model m on tokens per minute (TPM): Limit 6000, Used 5034, Requested 1443. Please try again in 4.77s. Need more tokens? Upgrade to Dev Tier today at https://console.groq.com/settings/billing","type":"tokens","code":"rate_limit_exceeded"}}`, failure.Rate, 4770 * time.Millisecond},
		{"groq: tokens per day", 429, `{"error":{"message":"Rate limit reached for model m on tokens per day (TPD): Limit 100000, Used 97050, Requested 3619. Please try again in 9m38.016s.","type":"tokens","code":"rate_limit_exceeded"}}`, failure.Quota, 9*time.Minute + 38016*time.Millisecond},
		{"groq: more than the cap, roughly", 429, `{"error":{"message":"Rate limit reached for model m on tokens per minute (TPM): Limit 7000, Used 0, Requested ~12903. Please try again in 50.597s.","type":"tokens","code":"rate_limit_exceeded"}}`, failure.Context, 50597 * time.Millisecond},
		{"groq: capacity", 503, `{"error":{"message":"m is currently over capacity. Please try again and back off exponentially.","type":"internal_server_error"}}`, failure.Overload, 0},
		{"groq: terms", 400, `{"error":{"message":"The model m requires terms acceptance.","type":"invalid_request_error","code":"model_terms_required"}}`, failure.Entitlement, 0},
		{"groq: tool call", 400, `{"error":{"message":"Failed to call a function. Please adjust your prompt.","type":"invalid_request_error","code":"tool_use_failed","failed_generation":"rate limit exceeded"}}`, failure.Invalid, 0},

		{"mistral: unauthorized", 401, `{"message":"Unauthorized","request_id":"r"}`, failure.Auth, 0},
		{"mistral: model", 400, `{"object":"error","message":"Invalid model: x","type":"invalid_model","param":null,"code":"1500"}`, failure.Model, 0},
		{"mistral: overflow", 400, `{"object":"error","message":"Prompt contains 40000 tokens and 0 draft tokens, too large for model with 32768 maximum context length","type":"invalid_request_prompt","code":"3051"}`, failure.Context, 0},
		{"mistral: capacity", 429, `{"object":"error","message":"Service tier capacity exceeded for this model.","type":"service_tier_capacity_exceeded","code":"3505"}`, failure.Overload, 0},
		{"mistral: pydantic", 422, `{"object":"error","message":{"detail":[{"type":"extra_forbidden","loc":["body","stream_options"],"msg":"Extra inputs are not permitted","input":{"text":"too many requests"}}]},"type":"invalid_request_error"}`, failure.Invalid, 0},
		{"cohere: overflow", 400, `{"message":"too many tokens: size limit exceeded by 2000 tokens. Try using shorter or fewer inputs, or setting prompt_truncation='AUTO'."}`, failure.Context, 0},
		{"perplexity: tokens", 400, `{"error":{"message":"Token limit exceeded","type":"invalid_request"}}`, failure.Context, 0},
		{"cohere: trial key", 429, `{"message":"You are using a Trial key, which is limited to 10 API calls / minute. You can continue to use the Trial key for free or upgrade to a Production key with higher rate limits at https://dashboard.cohere.com/api-keys."}`, failure.Rate, 0},
		{"cohere: trial month", 429, `{"message":"You are using a Trial key, which is limited to 1000 API calls / month."}`, failure.Quota, 0},
		{"cohere: model", 404, `{"message":"model 'command-x' not found, make sure the correct model ID was used and that you have access to the model."}`, failure.Model, 0},
		{"deepseek: balance", 402, `{"error":{"message":"Insufficient Balance","type":"unknown_error","code":"invalid_request_error"}}`, failure.Quota, 0},
		{"deepseek: model", 400, `{"error":{"message":"Model Not Exist","type":"invalid_request_error","code":"invalid_request_error"}}`, failure.Model, 0},
		{"deepseek: key", 401, `{"error":{"message":"Authentication Fails, Your api key: ****abcd is invalid","type":"authentication_error","code":"invalid_request_error"}}`, failure.Auth, 0},
		{"deepseek: busy", 503, `{"error":{"message":"Service is too busy. Please try again later.","type":"service_unavailable_error"}}`, failure.Overload, 0},
		{"moonshot: model or permission", 404, `{"error":{"message":"Not found the model k9 or Permission denied","type":"resource_not_found_error"}}`, failure.Model, 0},
		{"moonshot: key", 401, `{"error":{"message":"Invalid Authentication","type":"invalid_authentication_error"}}`, failure.Auth, 0},
		{"moonshot: overflow", 400, `{"error":{"message":"Invalid request: Your request exceeded model token limit: 8192 (requested: 9000)","type":"invalid_request_error"}}`, failure.Context, 0},
		{"moonshot: concurrency", 429, `{"error":{"message":"Your account o request reached organization max concurrency: 1, please try again after 1 seconds","type":"rate_limit_reached_error"}}`, failure.Rate, time.Second},
		{"moonshot: tokens a day", 429, `{"error":{"message":"Your account reached organization TPD rate limit, limit: 1500000","type":"rate_limit_reached_error"}}`, failure.Quota, 0},
		{"moonshot: requests a day", 429, `{"error":{"message":"Your account o request reached organization max RPD: 100, please try again after 3 seconds","type":"rate_limit_reached_error"}}`, failure.Quota, 3 * time.Second},
		{"zhipu: concurrency", 429, `{"error":{"code":"1302","message":"您当前使用该API的并发数过高,请降低并发"}}`, failure.Rate, 0},
		{"zhipu: busy", 429, `{"error":{"code":"1305","message":"当前API请求过多,请稍后重试"}}`, failure.Overload, 0},
		{"zhipu: sensitive", 400, `{"contentFilter":[{"level":1,"role":"user"}],"error":{"code":"1301","message":"系统检测到输入或生成内容可能包含不安全或敏感内容"}}`, failure.Content, 0},
		{"zhipu: model", 400, `{"error":{"code":"1211","message":"模型不存在,请检查模型代码。"}}`, failure.Model, 0},
		{"zhipu: token", 401, `{"error":{"code":"1002","message":"Authorization Token非法,请确认Authorization Token正确传递。"}}`, failure.Auth, 0},
		{"zhipu: prompt", 400, `{"error":{"code":"1261","message":"Prompt 超长"}}`, failure.Context, 0},
		{"zhipu: plan without the model", 429, `{"error":{"code":"1311","message":"Your current subscription plan does not yet include access to glm-9"}}`, failure.Entitlement, 0},
		{"alibaba: inspection", 400, `{"code":"data_inspection_failed","message":"Input data may contain inappropriate content."}`, failure.Content, 0},
		{"alibaba: arrears", 400, `{"code":"Arrearage","message":"Access denied, please make sure your account is in good standing."}`, failure.Quota, 0},
		{"alibaba: burst", 429, `{"code":"Throttling.BurstRate","message":"Request rate increased too quickly."}`, failure.Rate, 0},
		{"alibaba: not bought", 403, `{"code":"AccessDenied.Unpurchased","message":"Access to model denied. Please make sure you are eligible for using the model."}`, failure.Entitlement, 0},
		{"alibaba: throttle in the code of a quota", 429, `{"error":{"code":"insufficient_quota","message":"You exceeded your current quota. For details, see: https://help.aliyun.com/zh/model-studio/error-code#token-limit","type":"insufficient_quota"}}`, failure.Rate, 0},
		{"proxy: status in words", 500, `{"error":{"message":"Request failed with status code 429","type":"api_error","code":500}}`, failure.Rate, 0},
		{"alibaba: key", 401, `{"code":"InvalidApiKey","message":"Invalid API-key provided."}`, failure.Auth, 0},
		{"alibaba: max_tokens", 400, `{"error":{"code":"invalid_parameter_error","message":"Range of max_tokens should be [1, 8192]"}}`, failure.Invalid, 0},
		{"minimax: rate", 200, `{"base_resp":{"status_code":1002,"status_msg":"rate limit"}}`, failure.Rate, 0},
		{"minimax: balance", 200, `{"base_resp":{"status_code":1008,"status_msg":"insufficient balance"}}`, failure.Quota, 0},
		{"minimax: key", 200, `{"base_resp":{"status_code":1004,"status_msg":"login fail"}}`, failure.Auth, 0},
		{"minimax: sensitive", 200, `{"base_resp":{"status_code":1026,"status_msg":"input new_sensitive"}}`, failure.Content, 0},
		{"minimax: overflow", 400, `{"type":"error","error":{"type":"invalid_request_error","message":"invalid params, context window exceeds limit (2013)"}}`, failure.Context, 0},
		{"xai: model", 404, `{"code":"Some requested entity was not found","error":"The model grok-9 does not exist or your team t does not have access to it."}`, failure.Model, 0},
		{"xai: no credits", 403, `{"code":"The caller does not have permission to execute the specified operation","error":"Your newly created team doesn't have any credits yet."}`, failure.Quota, 0},
		{"xai: permission", 403, `{"code":"The caller does not have permission to execute the specified operation","error":"Nothing more is said."}`, failure.Entitlement, 0},
		{"xai: out of credits", 403, `{"code":"personal-team-blocked:spending-limit","error":"You have run out of credits or need a subscription."}`, failure.Quota, 0},
		{"xai: overflow", 400, `{"code":"Client specified an invalid argument","error":"This model's maximum prompt length is 131072 but the request contains 140000 tokens."}`, failure.Context, 0},
		{"xai: key", 400, `{"code":"Client specified an invalid argument","error":"Incorrect API key provided: xa***bc. You can obtain an API key from https://console.x.ai."}`, failure.Auth, 0},
		{"xai: usage guidelines", 403, `{"code":"The caller does not have permission to execute the specified operation","error":"Content violates usage guidelines. Failed check: SAFETY_CHECK_TYPE_CSAM"}`, failure.Content, 0},
		{"together: model", 404, `{"error":{"message":"Unable to access model x. Please visit https://api.together.ai/models to view the list of supported models.","type":"invalid_request_error","code":"model_not_available"}}`, failure.Model, 0},
		{"together: overload", 503, `{"error":{"message":"The server is overloaded or not ready yet.","type":"server_error"}}`, failure.Overload, 0},
		{"together: overflow", 422, "{\"error\":{\"message\":\"Input validation error: `inputs` tokens + `max_new_tokens` must be <= 8193. Given: 9000\",\"type\":\"invalid_request_error\"}}", failure.Context, 0},
		{"fireworks: model", 404, `{"error":{"object":"error","type":"invalid_request_error","code":"NOT_FOUND","message":"Model not found, inaccessible, and/or not deployed"}}`, failure.Model, 0},
		{"fireworks: overflow", 400, `{"error":{"object":"error","type":"invalid_request_error","message":"The prompt is too long: 150000, model maximum context length: 131071"}}`, failure.Context, 0},
		{"fireworks: suspended", 412, `{"error":{"message":"Account a is suspended, possibly due to reaching the monthly spending limit or failure to pay past invoices.","code":"PRECONDITION_FAILED"}}`, failure.Quota, 0},
		{"perplexity: model", 400, `{"error":{"message":"Invalid model 'sonar-x'. Permitted models can be found in the documentation.","type":"invalid_model","code":400}}`, failure.Model, 0},
		{"perplexity: page", 401, "<html>\r\n<head><title>401 Authorization Required</title></head>\r\n<body><center><h1>401 Authorization Required</h1></center></body></html>", failure.Auth, 0},
		{"cerebras: queue", 429, `{"message":"We're experiencing high traffic right now! Please try again soon.","type":"too_many_requests_error","param":"queue","code":"queue_exceeded"}`, failure.Overload, 0},
		{"cerebras: tokens per day", 429, `{"message":"Tokens per day limit exceeded - too many tokens processed.","type":"too_many_tokens_error","param":"quota","code":"token_quota_exceeded"}`, failure.Quota, 0},
		{"cerebras: overflow", 400, `{"message":"Please reduce the length of the messages or completion. Current length is 9000 while limit is 8192","type":"invalid_request_error","param":"messages","code":"context_length_exceeded"}`, failure.Context, 0},
		{"cerebras: key", 401, `{"message":"Wrong API Key","type":"invalid_request_error","param":"api_key","code":"wrong_api_key"}`, failure.Auth, 0},
		{"hugging face: credits", 402, `{"error":"You have exceeded your monthly included credits for Inference Providers. Subscribe to PRO to get 20x more."}`, failure.Quota, 0},
		{"hugging face: loading", 503, `{"error":"Model m is currently loading","estimated_time":20.5}`, failure.Overload, 20500 * time.Millisecond},
		{"hugging face: token", 403, `{"error":"This authentication method does not have sufficient permissions to call Inference Providers on behalf of user u"}`, failure.Entitlement, 0},
		{"hugging face: large", 403, `{"error":"The model m is too large to be loaded automatically"}`, failure.Model, 0},
		{"hugging face: gated", 403, `{"error":"Access to model m is restricted and you are not in the authorized list."}`, failure.Entitlement, 0},
		{"workers ai: capacity", 429, `{"errors":[{"message":"Capacity temporarily exceeded, please try again.","code":3040}],"success":false,"result":{},"messages":[]}`, failure.Overload, 0},
		{"workers ai: model", 400, `{"errors":[{"message":"No such model @cf/x","code":5007}],"success":false}`, failure.Model, 0},
		{"workers ai: key", 401, `{"success":false,"errors":[{"code":10000,"message":"Authentication error"}]}`, failure.Auth, 0},

		{"vllm: overflow in the output", 400, `{"object":"error","message":"'max_tokens' or 'max_completion_tokens' is too large: 2000. This model's maximum context length is 4096 tokens and your request has 2104 input tokens (2000 > 4096 - 2104).","type":"BadRequestError","code":400}`, failure.Context, 0},
		{"vllm: overflow", 400, `{"error":{"message":"This model's maximum context length is 4096 tokens. However, you requested 5000 tokens. Please reduce the length of the messages or completion.","type":"BadRequestError","code":400}}`, failure.Context, 0},
		{"sglang: overflow", 400, `{"object":"error","message":"The input (12000 tokens) is longer than the model's context length (8192 tokens).","type":"BadRequest","code":400}`, failure.Context, 0},
		{"sglang: queue", 503, `{"object":"error","message":"The request queue is full.","type":"ServiceUnavailable","code":503}`, failure.Overload, 0},
		{"llama.cpp: loading", 503, `{"error":{"code":503,"message":"Loading model","type":"unavailable_error"}}`, failure.Overload, 0},
		{"llama.cpp: key", 401, `{"error":{"code":401,"message":"Invalid API Key","type":"authentication_error"}}`, failure.Auth, 0},
		{"ollama: model", 404, `{"error":"model \"x\" not found, try pulling it first"}`, failure.Model, 0},
		{"ollama: tools", 400, `{"error":"registry.ollama.ai/library/x does not support tools"}`, failure.Model, 0},
		{"ollama: busy", 503, `{"error":"server busy, please try again.  maximum pending requests exceeded"}`, failure.Overload, 0},
		{"ollama: overflow", 400, `{"error":"prompt too long; exceeded max context length by 12 tokens"}`, failure.Context, 0},
		{"ollama: weekly", 429, `{"error":"you (u) have reached your weekly usage limit, upgrade for higher limits"}`, failure.Quota, 0},
		{"ollama: runner died", 500, `{"error":"llama runner process has terminated: exit status 2"}`, failure.Overload, 0},
		{"lm studio: overflow", 400, `{"error":"Trying to keep the first 5000 tokens when context the overflows. However, the model is loaded with context length of only 4096 tokens."}`, failure.Context, 0},
		{"lm studio: none loaded", 404, `{"error":{"message":"No models loaded. Please load a model in the developer page.","type":"invalid_request_error","code":"model_not_found"}}`, failure.Model, 0},
		{"litellm: budget", 400, `{"error":{"message":"Budget has been exceeded! Current cost: 11.2, Max budget: 10.0","type":"budget_exceeded","param":null,"code":"400"}}`, failure.Quota, 0},
		{"litellm: overflow in a Python dict", 400, `{"error":{"message":"litellm.ContextWindowExceededError: BadRequestError: OpenAIException - Error code: 400 - {'error': {'message': 'too much', 'code': 'context_length_exceeded'}}","type":null,"code":"400"}}`, failure.Context, 0},
		{"litellm: rate", 429, `{"error":{"message":"litellm.RateLimitError: RateLimitError: OpenAIException - slow","type":"throttling_error","code":"429"}}`, failure.Rate, 0},
		{"litellm: no deployments", 429, `{"error":{"message":"No deployments available for selected model, Try again in 5 seconds. Passed model=gpt-x. pre-call-checks=False, cooldown_list=[]","type":"None","code":"429"}}`, failure.Rate, 5 * time.Second},
		{"litellm: upstream rate under 500", 500, `{"error":{"message":"upstream said so","type":"None","code":"429"}}`, failure.Rate, 0},
		{"litellm: team model", 401, `{"error":{"message":"team not allowed to access model. This team can only access models=['a']","type":"team_model_access_denied","code":"401"}}`, failure.Entitlement, 0},
		{"new-api: channel", 503, `{"error":{"message":"No available channel for model x under group default (distributor)","type":"new_api_error","code":"model_not_found"}}`, failure.Model, 0},
		{"new-api: user quota", 403, `{"error":{"message":"用户额度不足","type":"new_api_error","code":"insufficient_user_quota"}}`, failure.Quota, 0},
		{"one-api: token", 401, `{"error":{"message":"无效的令牌","type":"one_api_error"}}`, failure.Auth, 0},
		{"vercel gateway: model", 404, `{"error":{"message":"Model 'x/y' not found","type":"model_not_found"}}`, failure.Model, 0},
		{"new-api: saturated", 500, `{"error":{"message":"当前分组上游负载已饱和,请稍后再试","type":"new_api_error"}}`, failure.Overload, 0},
		{"cli proxy: cooling down", 429, `{"error":{"code":"model_cooldown","message":"All credentials for model x are cooling down","reset_seconds":8}}`, failure.Rate, 8 * time.Second},
		{"nvidia: function", 404, `{"status":404,"title":"Not Found","detail":"Function 'f': Not found for account 'a'"}`, failure.Model, 0},
		{"deepinfra: busy", 429, `{"error":{"message":"Model busy, retry later"}}`, failure.Overload, 0},
		{"kimi code: cycle", 403, `{"error":{"type":"permission_error","message":"You've reached your usage limit for this billing cycle."},"type":"error"}`, failure.Quota, 0},
		{"kimi code: week", 403, `{"error":{"message":"You've reached your weekly (7-day) usage limit. To continue now, upgrade your plan: https://example.com","type":"access_terminated_error"}}`, failure.Quota, 0},
		{"kimi code: concurrency", 403, `{"error":{"message":"You've reached your concurrent request limit. Please wait for your ongoing requests to finish."}}`, failure.Rate, 0},
		{"opencode: free usage", 429, `{"type":"error","error":{"type":"FreeUsageLimitError","message":"Rate limit exceeded. Please try again later."}}`, failure.Quota, 0},
		{"vertex: claude throttled", 429, `{"error":{"code":429,"message":"Quota exceeded for aiplatform.googleapis.com/online_prediction_requests_per_base_model with base model: m. Please submit a quota increase request.","status":"RESOURCE_EXHAUSTED"}}`, failure.Rate, 0},
		{"poolside: overflow", 400, `{"error":{"message":"Input length 131393 exceeds the maximum allowed input length of 131040 tokens."}}`, failure.Context, 0},
		{"codex: days", 429, `{"error":{"message":"You've hit your usage limit. Try again in 4 days 20 hours 9 minutes."}}`, failure.Quota, 4*24*time.Hour + 20*time.Hour + 9*time.Minute},
		{"copilot: hours", 429, `{"error":{"message":"Your request is limited. Please wait 8 hours 24 minutes and try again."}}`, failure.Quota, 8*time.Hour + 24*time.Minute},
		{"volcengine: not open", 404, `{"error":{"code":"ModelNotOpen","message":"Your account has not activated the model x."}}`, failure.Entitlement, 0},
		{"baidu: qps", 200, `{"error_code":18,"error_msg":"Open api qps request limit reached"}`, failure.Rate, 0},
		{"together: credit limit", 402, `{"error":{"message":"Credit limit exceeded, please navigate to billing","type":"credit_limit"}}`, failure.Quota, 0},
		{"perplexity: quota under 401", 401, `{"error":{"message":"You exceeded your current quota","type":"insufficient_quota","code":401}}`, failure.Quota, 0},
		{"anthropic: forbidden place", 403, `{"error":{"type":"forbidden","message":"Request not allowed"}}`, failure.Entitlement, 0},
		{"anthropic: input tokens per minute", 429, `{"type":"error","error":{"type":"rate_limit_error","message":"This request would exceed the rate limit of 20,000 input tokens per minute. Please reduce the prompt length or the maximum tokens requested, or try again later."}}`, failure.Rate, 0},
		{"llama.cpp: size exceeded", 500, `{"error":{"code":500,"message":"Context size has been exceeded.","type":"server_error"}}`, failure.Context, 0},
		{"vercel gateway: credits", 402, `{"error":{"message":"Insufficient funds. Please add credits to your account.","type":"insufficient_funds"}}`, failure.Quota, 0},
	})
}

// TestClassifyPages has what stands between a provider and its callers.
func TestClassifyPages(t *testing.T) {
	run(t, []fixture{
		{"nginx 504", 504, "<html>\n<head><title>504 Gateway Time-out</title></head>\n<body><center><h1>504 Gateway Time-out</h1></center></body>\n</html>", failure.Timeout, 0},
		{"nginx 413", 413, "<html><head><title>413 Request Entity Too Large</title></head><body></body></html>", failure.Context, 0},
		{"load balancer 503", 503, "<html>\r\n<head><title>503 Service Temporarily Unavailable</title></head></html>", failure.Overload, 0},
		{"cloudflare 1015", 429, `<!DOCTYPE html><html><head><title>Access denied | api.example.com used Cloudflare to restrict access</title></head><body><h1>Error 1015</h1><h2>You are being rate limited</h2></body></html>`, failure.Rate, 0},
		{"cloudflare block", 403, `<!DOCTYPE html><html><head><title>Attention Required! | Cloudflare</title></head><body><h1>Sorry, you have been blocked</h1></body></html>`, failure.Entitlement, 0},
		{"cloudflare 520", 520, "error code: 520", failure.Overload, 0},
		{"cloudflare 522", 522, "error code: 522", failure.Timeout, 0},
		{"page with a guess in its text", 502, `<html><head><title>Bad gateway</title></head><body><p>The cause may be an invalid API key, a rate limit or a timeout.</p></body></html>`, failure.Overload, 0},
		{"envoy timeout", 504, "upstream request timeout", failure.Timeout, 0},
		{"envoy reset", 503, "upstream connect error or disconnect/reset before headers. reset reason: connection termination", failure.Overload, 0},
		{"plain text", 500, "Internal Server Error", failure.Overload, 0},
		{"xml", 403, `<?xml version="1.0"?><Error><Code>InvalidSignatureException</Code><Message>Signature expired</Message></Error>`, failure.Auth, 0},
		{"empty", 503, "", failure.Overload, 0},
		{"empty 403", 403, "", failure.Auth, 0},
		{"empty 404", 404, "", failure.Invalid, 0},
	})
}

// TestClassifyNegatives has failures that look like others.
func TestClassifyNegatives(t *testing.T) {
	run(t, []fixture{
		{"a throttle that links to billing", 429, `{"error":{"message":"Too many requests. See https://example.com/settings/billing/insufficient_quota to raise your limits."}}`, failure.Rate, 0},
		{"a throttle that advises a plan", 429, `{"error":{"message":"Rate limit of 20 requests per minute exceeded. Upgrade your plan for higher limits."}}`, failure.Rate, 0},
		{"a parameter named timeout", 400, `{"error":{"message":"Unknown parameter: 'timeout'."}}`, failure.Invalid, 0},
		{"a bad value of timeout", 400, `{"error":{"message":"timeout must be a positive integer"}}`, failure.Invalid, 0},
		{"a parameter named model", 400, `{"error":{"message":"you must provide a model parameter","type":"invalid_request_error"}}`, failure.Invalid, 0},
		{"a parameter that the model does not take", 400, `{"error":{"message":"temperature is not supported with this model","type":"invalid_request_error"}}`, failure.Invalid, 0},
		{"a path in words", 404, `{"error":"POST /v1/models/x: not found"}`, failure.Invalid, 0},
		{"a path that is not there", 404, `{"error":"Not Found","path":"/v1/models/x"}`, failure.Invalid, 0},
		{"a prompt quoted by a validator", 422, `{"detail":[{"type":"string_type","loc":["body","messages",0],"msg":"Input should be a valid dictionary [input_value='insufficient_quota: context_length_exceeded rate limit', input_type=str]"}]}`, failure.Invalid, 0},
		{"a prompt among the fields", 400, `{"error":{"message":"Bad request","type":"invalid_request_error"},"prompt":"why was I rate limited with insufficient_quota?"}`, failure.Invalid, 0},
		{"a prompt in embedded JSON", 400, `{"error":{"message":"could not parse {\"role\":\"user\",\"content\":\"maximum context length exceeded\"}","type":"invalid_request_error"}}`, failure.Invalid, 0},
		{"a schema that speaks of quotas", 400, `{"error":{"message":"Invalid schema for function 'get_quota': 'insufficient' is not valid","type":"invalid_request_error","code":"invalid_function_parameters"}}`, failure.Invalid, 0},
		{"an answer beside the error", 0, `{"error":{"message":"Provider returned error","code":500},"choices":[{"message":{"content":"invalid api key"}}]}`, failure.Overload, 0},
		{"tokens that are not too many", 400, `{"error":{"message":"max_tokens must be at most 4096"}}`, failure.Invalid, 0},
		{"a token that is not a model", 401, `{"error":{"message":"token not found"}}`, failure.Auth, 0},
		{"something odd in a stream", 0, `{"error":{"message":"hiccup"}}`, failure.Overload, 0},
	})
}

func run(t *testing.T, fixtures []fixture) {
	synctest.Test(t, func(t *testing.T) {
		for _, f := range fixtures {
			e := failure.Classify(failure.Error{Status: f.status, InStream: f.status == 0, Headers: http.Header{}, Body: f.body})
			assert.Equal(t, f.want, e.Kind, f.name)
			assert.Equal(t, f.wait, e.RetryAfter, f.name)
		}
	})
}
