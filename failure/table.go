package failure

import (
	"regexp"
	"strconv"
	"strings"
	"time"
)

// table is all that is known of how providers word their failures. The first row
// that holds decides, so the order is part of the evidence: mistakes in a
// parameter that merely sound like something else, then context, content,
// entitlement, quota, model and auth, then what passes by itself, and last the
// codes that say least.
var table = []row{

	// What sounds like something else.

	{kind: Invalid, codes: "unsupported_parameter unknown_parameter missing_required_parameter invalid_type unsupported_value UnsupportedParamsError invalid_image_url invalid_image_format invalid_function_parameters decimal_above_max_value integer_above_max_value integer_below_min_value",
		why: "a parameter, whatever it is called", source: "OpenAI API reference, error codes"},
	{kind: Invalid, texts: "unsupported parameter|unsupported value|unknown parameter|unrecognized request argument|extra inputs are not permitted|missing required parameter|not supported with this model. use|unknown name",
		why: "a parameter, whatever it is called", source: "OpenAI, Anthropic, Gemini"},
	{kind: Invalid, texts: "max_tokens must be|max_completion_tokens must be|max_output_tokens must be|maxoutputtokens must be|max_tokens is too large|max_completion_tokens is too large|maximum allowed number of output tokens|max_tokens must be greater than|invalid max_tokens|range of max_tokens should be|max_tokens … too high|timeout must be|timeout should be|timeout … must be a",
		why: "the limit asked for, not the length of the input", source: "Anthropic, Perplexity, OpenAI, Alibaba"},
	{kind: Invalid, texts: "invalid url|no route matches|cannot post /|cannot get /|unknown request url|route … not found|invalid url path|unknown path",
		why: "the address is wrong, not the model in it", source: "OpenAI, Express, Mistral"},
	{kind: Rate, texts: "you are being rate limited|too many concurrent|free models per min",
		why: "a throttle that says so", source: "Cloudflare error 1015; OpenRouter"},

	// Context: the request is too large.

	{kind: Context, codes: "context_length_exceeded context_window_exceeded ContextWindowExceededError ContextWindowExceeded exceed_context_size tokens_limit_reached model_max_prompt_tokens_exceeded prompt_too_long input_too_long request_too_large 1261 string_above_max_length~input",
		why: "codes that mean nothing else", source: "OpenAI, LiteLLM, llama.cpp, GitHub Models, Copilot, Anthropic, Z.ai"},
	{kind: Context, texts: "maximum context length|context length is only|exceed … context window|exceed … context length|exceed … context limit|exceed … context size|context window … exceed|context length … exceed|longer than the … context|larger than the … context|greater than the context length|context window limit|input exceeds the context|context the overflows|exceeded max context|context overflow|larger than … context",
		why: "the context window is exceeded", source: "OpenAI, vLLM, SGLang, llama.cpp, LM Studio, Ollama, MiniMax"},
	{kind: Context, texts: "prompt is too long|prompt too long|prompt too large|input is too long|input too long|input length too long|too many input tokens|prompt exceeds max|maximum prompt length|maximum input length|exceeds the maximum … input|too large for model with|token count … exceeds|token count … supports up to|tokens exceed|too many tokens: |range of input length|must have less than … tokens|inputs tokens + max_new_tokens|input tokens … limit is|exceeded model token limit|reduce the length of the|reduce your message size|reduce your prompt|max input tokens|input length … exceed|sequence length … exceed|longer than the maximum|request body too large for … tokens|string too long … messages|messages … string too long|input … string too long|exceeds the limit of … tokens|输入过长|超出最大长度|超过最大长度|超过模型",
		why: "the input is longer than the model takes", source: "Anthropic, Bedrock, xAI, Mistral, Gemini, Cohere, TGI, Copilot, Moonshot, Alibaba"},
	{kind: Context, texts: "request entity too large|payload too large|request too large|request exceeds the maximum size|request body … too large|request size exceeds|content too large|larger than the maximum allowed size",
		why: "the body is larger than the server takes", source: "nginx, Anthropic, Gemini"},
	{kind: Context, when: largerThanCap, texts: "limit", why: "one request is larger than the cap: waiting does not help", source: "OpenAI, Groq (tokens per minute)"},

	// Content: refused or filtered.

	{kind: Content, codes: "content_filter content_policy_violation ContentPolicyViolationError ResponsibleAIPolicyViolation content_filtered data_inspection_failed DataInspectionFailed content_moderation moderation_blocked PROHIBITED_CONTENT BLOCKLIST SAFETY RECITATION IMAGE_SAFETY sensitive_words_detected content_blocked content_policy prompt_blocked safety_violations base_resp~1026 base_resp~1027 1301 image_content_policy_violation",
		why: "codes of filters", source: "OpenAI, Azure, Alibaba, Gemini, one-api, MiniMax, Zhipu"},
	{kind: Content, texts: "content management policy|content filter|content policy|content policies|content moderation|flagged as|was flagged|been flagged|requires moderation|flagged for|content exists risk|inappropriate content|violate … usage polic|violating … usage polic|violation of … usage polic|violates our|violates usage|usage guidelines|safety system|blocked by … safety|blocked due to safety|prohibited content|responsible ai|sensitive content|sensitive information|new_sensitive|unsafe content|不安全|敏感",
		why: "a filter or a policy", source: "Azure, OpenAI, DeepSeek, Alibaba, OpenRouter, MiniMax, Zhipu"},

	// Entitlement: not allowed for this account or place.

	{kind: Model, texts: "does not exist or you do|not exist or your team|was not found or your project does not|not found the model|not found, inaccessible|make sure the correct model",
		why: "missing; the access is an aside", source: "OpenAI, xAI, Vertex, Moonshot, Fireworks"},
	{kind: Entitlement, codes: "unsupported_country_region_territory SERVICE_DISABLED IAM_PERMISSION_DENIED BILLING_DISABLED model_terms_required no_access ModelAccessDenied Model.AccessDenied feature_not_available subscription_required API_KEY_SERVICE_BLOCKED ACCESS_TOKEN_SCOPE_INSUFFICIENT unsupported_region usage_not_included AccessDenied.Unpurchased team_model_access_denied key_model_access_denied",
		why: "codes of grants, plans and places", source: "OpenAI, Google, Groq, GitHub Models, Alibaba"},
	{kind: Entitlement, texts: "country, region, or territory|location is not supported|not available in your|not supported in your|not available in this country|unsupported countr|unsupported region|restricted in your|region is not supported|you have been blocked|attention required",
		why: "the place is not allowed", source: "OpenAI, Gemini, Anthropic, Cloudflare"},
	{kind: Entitlement, texts: "model access is denied|access to this model is denied|access to model … denied|access to model … restricted|not in the authorized list|not allowed to access model|gated|does not have access to model|don't have access to|do not have access to|no access to model|not have access to this model|not been used in project|api … is disabled|requires billing to be enabled|must be verified|requires terms acceptance|aws marketplace|use case details",
		why: "the account was not granted it", source: "Bedrock, OpenAI, Google, Groq, GitHub Models"},
	{kind: Entitlement, texts: "not yet available for this subscription|not available for this subscription|extra usage is required|not available on your … plan|not included in your … plan|your plan does not|your subscription does not|your current plan|current subscription … not|only available to|only available for|only available on|upgrade your plan to|requires a … subscription|requires a … plan|currently not allowed for this organization|only authorized for use",
		why: "the plan does not have it", source: "Anthropic, Z.ai, Copilot"},
	{kind: Entitlement, texts: "not authorized to perform|permission … denied on|insufficient permission|sufficient permission|not have permission|does not have … permission|missing scopes|insufficient authentication scopes|lacks the required|virtual network|firewall rules|public access is disabled|caller does not have",
		why: "a grant is missing", source: "AWS IAM, Google IAM, OpenAI, Azure, Hugging Face"},

	// Quota: an allowance is used up.

	{kind: Quota, codes: "insufficient_quota billing_hard_limit_reached billing_not_active exceeded_current_quota usage_limit_reached usage_limit_exceeded insufficient_balance insufficient_user_quota insufficient_credits pre_consume_token_quota_failed AllocationQuota.FreeTierOnly Arrearage payment_required budget_exceeded ExceededBudget BudgetExceededError credits_exhausted out_of_credits 1113 1304 1308 1309 1310 base_resp~1008 quota_exhausted_daily",
		why: "codes of money and allowances", source: "OpenAI, Codex, Moonshot, new-api, Alibaba, LiteLLM, Zhipu, MiniMax"},
	{kind: Quota, texts: "per day|/ day|/day|/ month|/month|per 86400s|byday|max rpd|max tpd|(rpd)|(tpd)|daily … limit|daily … allocation|daily … quota|daily … allowance|daily … usage|limit … daily|per week|weekly … limit|per month|monthly … limit|monthly … credits|monthly … quota|monthly … usage|monthly spend|limit … this month",
		why: "an allowance of a day or longer", source: "Groq, Gemini, Bedrock, OpenRouter, Workers AI, Hugging Face"},
	{kind: Rate, texts: "per minute|per second|per hour|/min|(rpm)|(tpm)|limit_rpm|per min",
		why: "an allowance of a minute, whatever it is called", source: "OpenAI, Gemini, Together, Cerebras"},
	{kind: Quota, texts: "insufficient balance|insufficient credit|insufficient fund|insufficient … quota|balance is not enough|balance is too low|balance … too low|balance … insufficient|credit balance|not enough credit|out of credit|no credits|used all available credits|requires more credits|can only afford|tokens limit exceeded: |spending limit|spend limit|spending cap|free tier … exhausted|free credits|free trial|trial … expired|budget … exceeded|exceeded budget|payment required|usage limit|session limit|session usage|reached … usage limits|used up|premium request|check your plan and billing … suspended|in good standing|overdue|upgrade … to continue|余额|欠费|充值|额度|使用上限|资源包",
		why: "money or a plan's allowance is used up", source: "Anthropic, OpenRouter, DeepSeek, xAI, Ollama, MiniMax, Zhipu, Alibaba, new-api"},
	{kind: Rate, when: liftsSoon, texts: "quota|exhausted", why: "a quota that is free again within about a minute is a throttle", source: "Gemini (please retry in …)"},
	{kind: Rate, texts: "quotaincrease|throttling.allocationquota|rate limit … pricing tier|pricing tier … rate limit", codes: "Throttling.AllocationQuota",
		why: "a throttle in the words of billing", source: "Azure, Alibaba"},
	{kind: Quota, texts: "exceeded your current quota|exceeded current quota|check your plan and billing|billing details|exceeded your … quota|quota exceeded|quota has been exceeded|quota … used|exhausted your|quota will reset|billing|plan limit",
		codes: "QUOTA_EXHAUSTED quota_exceeded",
		why:   "a quota that nothing says is short", source: "OpenAI, Gemini, Moonshot, Copilot"},

	// Model: it is not there.

	{kind: Model, codes: "model_not_found model_not_supported model_decommissioned model_not_available invalid_model unknown_model DeploymentNotFound deployment_not_found model_deprecated OperationNotSupported ModelNotFound unsupported_api_for_model 1211",
		why: "codes of models", source: "OpenAI, Groq, Together, Mistral, GitHub Models, Azure, Copilot, Zhipu"},
	{kind: Model, texts: "model … does not exist|model … not exist|model … not found|model … is not found|model … decommissioned|model … deprecated|model … not supported|model … is not available|model … no longer|unknown model|no such model|invalid model|not a valid model|model identifier is invalid|resolve the foundation model|support the model|unsupported model|does not support tools|does not support tool|does not support chat|does not support image|does not support vision|on demand throughput|inference profile|marked by provider as legacy|end of its life|no endpoints found|no allowed providers|no available channel|无可用渠道|no models loaded|unable to access model|deployment … does not exist|models/ … is not found|not supported by any provider|model: claude|模型不存在",
		why: "the model is not to be had", source: "OpenAI, Bedrock, Gemini, OpenRouter, Hugging Face, new-api, LM Studio, Together, Azure"},

	// Auth: the key is refused.

	{kind: Auth, codes: "invalid_api_key incorrect_api_key account_deactivated API_KEY_INVALID CREDENTIALS_MISSING invalid_authentication UnrecognizedClient ExpiredToken InvalidSignature IncompleteSignature MissingAuthenticationToken InvalidClientTokenId SignatureDoesNotMatch expired_api_key token_expired wrong_api_key InvalidApiKey authentication AuthenticationError UNAUTHENTICATED invalid_token token_revoked token_invalidated API_KEY_HTTP_REFERRER_BLOCKED API_KEY_IP_ADDRESS_BLOCKED CONSUMER_SUSPENDED deactivated_workspace 1000 1001 1002 1003 1004 base_resp~1004 base_resp~2049",
		why: "codes of keys", source: "OpenAI, Google, AWS, Anthropic, Moonshot, Alibaba, Zhipu, MiniMax"},
	{kind: Auth, texts: "invalid api key|incorrect api key|api key not valid|api key not found|api key expired|api key is invalid|api key … invalid|api key … expired|api key … disabled|api key … revoked|api key … leaked|no api key|missing api key|provide an api key|api keys are not supported|invalid x api key|invalid api token|invalid token|invalid access token|invalid bearer token|invalid oauth|token has expired|token … expired|token is invalid|security token … is invalid|invalid username or password|invalid subscription key|no auth credentials|authentication credentials|authentication fail|authentication error|invalid authentication|could not validate credentials|unauthenticated|unregistered callers|been deactivated|deactivated account|has been suspended|has been disabled|key based authentication is disabled|not a valid key|invalid signature|无效的令牌|令牌|身份验证|鉴权",
		why: "the key is not good", source: "OpenAI, Gemini, Anthropic, Azure, AWS, Cohere, Hugging Face, one-api"},

	// What passes by itself.

	{kind: Overload, codes: "overloaded server_is_overloaded engine_overloaded slow_down MODEL_CAPACITY_EXHAUSTED ModelNotReady ServiceUnavailable service_unavailable capacity_exceeded insufficient_capacity InternalServerError InternalServer 1305 server_overloaded model_overloaded EngineDeadError no_capacity NoCapacity queue_exceeded insufficient_model_capacity",
		why: "codes of capacity", source: "Anthropic, OpenAI, Moonshot, Gemini, Bedrock, Zhipu"},
	{kind: Timeout, codes: "timeout request_timeout gateway_timeout upstream_timeout ModelTimeout APITimeoutError inference_timeout",
		why: "codes of timeouts", source: "LiteLLM, Bedrock, OpenRouter"},
	{kind: Overload, texts: "overloaded|at capacity|no capacity|over capacity|capacity … exceeded|exceeded capacity|out of capacity|insufficient capacity|capacity temporarily|high demand|high traffic|high load|heavy load|peak load|server is busy|service is busy|servers are busy|system is busy|too busy|server busy|temporarily unavailable|service unavailable|currently unavailable|currently loading|loading model|bad gateway|no healthy upstream|upstream connect error|queue is full|engine is dead|enginecore|过载|繁忙|访问量过大",
		why: "no capacity now", source: "Anthropic, Gemini, Moonshot, Azure, Hugging Face, llama.cpp, Envoy, vLLM, Zhipu"},
	{kind: Timeout, texts: "timed out|gateway timeout|gateway time out|request timeout|timeout occurred|timeout error|connection timeout|deadline exceeded|deadline expired|took too long|did not respond in time|upstream timeout",
		why: "no answer in time", source: "nginx, Envoy, Cloudflare, LiteLLM, Gemini"},
	{kind: Rate, codes: "rate_limit rate_limited rate_limit_exceeded rateLimitExceeded too_many_requests Throttling throttled RateLimitReached RATE_LIMIT_EXCEEDED RESOURCE_EXHAUSTED request_quota_exceeded token_quota_exceeded too_many_tokens credit_limit rate_limit_reached LimitRequests limit_burst_rate Throttling.RateQuota Throttling.BurstRate concurrency_limit_exceeded 1302 1303 base_resp~1002 TooManyRequests",
		why: "codes of throttles", source: "OpenAI, Anthropic, Mistral, AWS, Google, Cerebras, Alibaba, Zhipu, MiniMax"},
	{kind: Rate, texts: "rate limit|ratelimit|too many requests|too many tokens|requests too frequent|throttl|slow down|concurrency limit|concurrent request|请求过于频繁|速率限制|频率|并发|限流",
		why: "a throttle", source: "all"},
	{kind: Entitlement, codes: "permission permission_denied PERMISSION_DENIED AccessDenied Forbidden~access request_forbidden", why: "the key is good, the thing is not allowed",
		source: "Anthropic, Google, AWS"},
}

// statusNames are codes that only name a status of HTTP.
var statusNames = map[string]int{
	"invalidrequest": 400, "invalidargument": 400, "badrequest": 400, "validation": 400, "failedprecondition": 400, "outofrange": 400, "invalidmessage": 400, "invalidparameter": 400,
	"unauthorized": 401, "forbidden": 403, "notfound": 404, "resourcenotfound": 404, "conflict": 409, "aborted": 409,
	"unprocessableentity": 422, "internal": 500, "api": 500, "server": 500, "internalserver": 500, "unknown": 500,
	"apiconnection": 503, "unavailable": 503, "deadlineexceeded": 504,
}

// namedStatus is the status that a code names, or 0.
func (f *facts) namedStatus() int {
	named := 0
	for code := range f.codes {
		named = max(named, statusNames[code])
	}
	return named
}

var capOf = regexp.MustCompile(`\blimit:? ?(\d[\d,]*)[^.]{0,60}?\brequested:? ?~?(\d[\d,]*)`)

// largerThanCap reports whether the request alone is larger than the limit that
// it is told of.
func largerThanCap(f *facts) bool {
	m := capOf.FindStringSubmatch(f.text)
	if m == nil {
		return false
	}
	limit, err := strconv.ParseFloat(strings.ReplaceAll(m[1], ",", ""), 64)
	requested, err2 := strconv.ParseFloat(strings.ReplaceAll(m[2], ",", ""), 64)
	return err == nil && err2 == nil && limit > 0 && requested > limit
}

// liftsSoon reports whether the payload states a wait of about a minute at most.
func liftsSoon(f *facts) bool {
	d, ok := proseWait(f.text)
	if len(f.delays) > 0 {
		d, ok = f.delays[0], true
	}
	return ok && d <= 90*time.Second
}
