package failure

// table is all that is known of how providers word their failures. The first row
// that holds decides, so the order is part of the evidence: parameters that merely
// sound like something else, then context, content, entitlement, quota, model and
// auth, then what passes by itself.
var table = []row{

	// Parameters whose names sound like something else.

	{
		kind:   Entitlement,
		texts:  `organization must be verified`,
		why:    "said of the model or of a parameter alike",
		source: "OpenAI",
	},
	{
		kind: Invalid,
		codes: `unsupported_parameter unknown_parameter missing_required_parameter invalid_type unsupported_value
			UnsupportedParamsError invalid_image_url invalid_image_format invalid_function_parameters
			decimal_above_max_value integer_above_max_value integer_below_min_value tool_use_failed json_validate_failed`,
		why:    "a parameter, whatever it is called",
		source: "OpenAI API reference; LiteLLM",
	},
	{
		kind: Invalid,
		texts: `unsupported parameter | unsupported value | unknown parameter | unrecognized request argument |
			extra inputs are not permitted | missing required parameter | is not supported with this model |
			parameter … not supported | unknown name | unknown field | unrecognized field | unexpected keyword |
			json at position | invalid json | not valid json | parse json | parse the json | timeout must be |
			timeout should be`,
		why:    "a parameter, whatever it is called",
		source: "OpenAI, Anthropic, Gemini",
	},
	{
		kind: Context,
		texts: `maximum context length | exceed … context window | exceed … context length | exceed … context limit |
			exceed … context size | context window … exceed | context length … exceed | context size … exceed |
			context limit … exceed | context window limit | context length is only | context length of only |
			longer than the … context | larger than the … context | greater than the context | exceeded max context |
			context overflow | configured context size | input exceeds the context`,
		why:    "the window is exceeded, whatever asked for it",
		source: "OpenAI, vLLM, SGLang, llama.cpp, LM Studio, Ollama, MiniMax, Workers AI",
	},
	{
		kind: Invalid,
		texts: `max_tokens must be | max_completion_tokens must be | max_output_tokens must be | maxoutputtokens must be |
			max_tokens is too large | max_completion_tokens is too large | max_tokens … too high |
			maximum allowed number of output tokens | maximum output for this model | range of max_tokens should be |
			invalid max_tokens`,
		why:    "the limit of the output, not the length of the input",
		source: "Anthropic, OpenAI, Perplexity, Alibaba, Gemini",
	},
	{
		kind:   Invalid,
		texts:  `invalid url | unknown request url | no route matches | cannot post | cannot get | route … not found`,
		why:    "the address is wrong, not the model in it",
		source: "OpenAI, Express, nginx",
	},

	// Context: the request is too large.

	{
		kind: Context,
		codes: `context_length_exceeded context_window_exceeded model_context_window_exceeded exceed_context_size
			tokens_limit_reached model_max_prompt_tokens_exceeded prompt_too_long input_too_long tokens_too_long
			request_too_large 1261`,
		why:    "codes that mean nothing else",
		source: "OpenAI, LiteLLM, llama.cpp, GitHub Models, Copilot, Anthropic, Z.ai",
	},
	{
		kind: Context,
		texts: `prompt is too long | prompt too long | prompt too large | input is too long | input too long |
			input length too long | tokens too long | too many input tokens | prompt exceeds max | maximum prompt length |
			maximum input length | maximum allowed input length | too large for model with | token count … exceed |
			token count … supports up to | tokens exceed | number of tokens … exceed … maximum | too many tokens: |
			range of input length | must have less than … tokens | inputs tokens + max_new_tokens |
			input tokens … limit is | exceeded model token limit | reduce the length of the | reduce your message size |
			reduce your prompt | tokens must be reduced | max input tokens | input length … exceed |
			sequence length … exceed | longer than the maximum | request body too large for … tokens |
			string too long … messages | messages … string too long | input … string too long |
			exceeds the limit of … tokens | 输入过长 | 超长 | 超出最大长度 | 超过最大长度 | number of input tokens … exceed |
			max tokens of … exceeded | exceed max message tokens | more than max tokens allowed | token length must be |
			prompt exceeds the length | prompt_tokens … must be less | messages is too long | expected maxlength`,
		why:    "the input is longer than the model takes",
		source: "Anthropic, Bedrock, xAI, Mistral, Gemini, Cohere, TGI, Copilot, Moonshot, Alibaba, Baidu",
	},
	{
		kind:   Context,
		texts:  `token limit exceeded | too many tokens | exceeds token limit`,
		when:   refused,
		why:    "too many tokens in one request, not in a minute",
		source: "Cohere, Perplexity, AI21",
	},
	{
		kind: Context,
		texts: `request entity too large | payload too large | payload size exceeds | request too large |
			request exceeds the maximum size | value at 'body' … less than or equal | request body … too large |
			request size exceeds | content too large | input is too large`,
		why:    "the body is larger than the server takes",
		source: "nginx, Anthropic, Gemini, llama.cpp",
	},
	{
		kind:   Context,
		texts:  `requested`,
		when:   largerThanCap,
		why:    "one request is larger than the cap: waiting does not help",
		source: "OpenAI, Groq (tokens per minute)",
	},

	// Content: refused or filtered.

	{
		kind:   Auth,
		texts:  `account was flagged | account has been flagged | your resource has been temporarily blocked`,
		why:    "the account is flagged, not what was asked",
		source: "OpenAI, Azure",
	},
	{
		kind: Content,
		codes: `content_filter content_policy_violation ResponsibleAIPolicyViolation content_filtered data_inspection_failed
			content_moderation moderation_blocked PROHIBITED_CONTENT BLOCKLIST SAFETY RECITATION IMAGE_SAFETY
			sensitive_words_detected content_blocked cyber_policy bio_policy hooks_failed censorship_blocked prompt_blocked
			safety_violations sensitive_check 1301 base_resp.1026 base_resp.1027`,
		why:    "codes of filters",
		source: "OpenAI, Azure, Alibaba, Gemini, one-api, MiniMax, Zhipu",
	},
	{
		kind: Content,
		texts: `content management policy | content filter | content policy | content policies | content moderation |
			flagged as | was flagged | been flagged | flagged for | requires moderation | content exists risk |
			inappropriate content | considered high risk | violate … usage polic | violating … usage polic |
			violation of … usage polic | violates … guideline | violate … guideline | violation of … guideline |
			violates our | safety system | blocked by … safety | blocked due to safety | for safety reasons |
			blocked by guardrail | guardrail checks | prohibited content | responsible ai | sensitive content |
			sensitive information | new_sensitive | nsfw content | unsafe content | unsafe request | blocked output |
			blocked input | 不安全 | 敏感`,
		why:    "a filter or a policy",
		source: "Azure, OpenAI, DeepSeek, Alibaba, OpenRouter, MiniMax, xAI, Moonshot, Volcengine",
	},

	// Entitlement: not allowed for this account or place.

	{
		kind: Model,
		texts: `does not exist or you do | not exist or your team | was not found or your project does not |
			not found the model | not found, inaccessible | make sure the correct model`,
		why:    "missing; that access may be is an aside",
		source: "OpenAI, xAI, Vertex, Moonshot, Fireworks, Cohere",
	},
	{
		kind: Entitlement,
		codes: `unsupported_country_region_territory SERVICE_DISABLED IAM_PERMISSION_DENIED BILLING_DISABLED
			API_KEY_SERVICE_BLOCKED ACCESS_TOKEN_SCOPE_INSUFFICIENT model_terms_required model_permission_blocked_org
			model_permission_blocked_project no_access Model.AccessDenied AccessDenied.Unpurchased ModelNotOpen
			CommodityNotPurchased ModelNotAllowed model_blocked usage_not_included feature_not_available
			subscription_required customer_verification_required team_model_access_denied key_model_access_denied 1220 1309
			1311`,
		why:    "codes of grants, plans and places",
		source: "OpenAI, Codex, Google, Groq, GitHub Models, Alibaba, LiteLLM, Volcengine, Z.ai, Vercel",
	},
	{
		kind: Entitlement,
		texts: `country, region, or territory | location is not supported | not available in your | not supported in your |
			not available in this country | unsupported countr | unsupported region | region is not supported |
			restricted in your | request not allowed | check your network settings | you have been blocked |
			attention required | just a moment | error code: 1009 | error code: 1020`,
		why:    "the place is not allowed",
		source: "OpenAI, Gemini, Anthropic, Groq, Cloudflare",
	},
	{
		kind: Entitlement,
		texts: `model access is denied | access to this model is denied | access to model … denied |
			access to the model … denied | access to model … restricted | not have access to | don't have access to |
			no access to model | not been used in project | api … is disabled | requires billing to be enabled |
			requires terms acceptance | aws marketplace | use case details | not in the authorized list |
			not allowed to access | not allowed to use | not allowed to sample | not enabled for your |
			unavailable for account | prior to using this model | not activated the model | operation not allowed |
			prohibited by organization | 无权 | 不允许访问`,
		why:    "the account was not granted it",
		source: "Bedrock, OpenAI, Google, Groq, GitHub Models, Hugging Face, LiteLLM, Volcengine, new-api",
	},
	{
		kind: Entitlement,
		texts: `not yet available for this subscription | not available for this subscription | extra usage is required |
			required for long context | required for 1m context | not available on your … plan |
			not included in your … plan | plan does not | plan not support | your subscription does not |
			your current plan | restricted to paid | only available … plan | only available … subscri |
			only available … tier | requires a … subscription | requires a … plan | requires the … plan |
			only available for coding agents | only be used from within | no active subscription |
			subscription has expired | not allowed for this virtual key | only allows claude code |
			not allowed for this organization | only authorized for use`,
		why:    "the plan does not have it",
		source: "Anthropic, Z.ai, MiniMax, Ollama, Copilot",
	},
	{
		kind: Entitlement,
		texts: `not authorized to | permission … denied on | insufficient permission | sufficient permission |
			not have permission | does not have … permission | no permission to | missing scopes |
			insufficient authentication scopes | lacks the required | virtual network | firewall rules |
			public access is disabled | rbac: access denied`,
		why:    "a grant is missing",
		source: "AWS IAM, Google IAM, OpenAI, Azure, Hugging Face, Copilot",
	},

	// Quota: an allowance is used up; and what only sounds so.

	{
		kind:   Rate,
		texts:  `quota`,
		when:   linksToThrottle,
		why:    "its words and code are those of a used-up quota; the page that it links to says that it is a throttle",
		source: "Alibaba (tokens a minute)",
	},
	{
		kind: Quota,
		codes: `insufficient_quota billing_hard_limit_reached billing_not_active exceeded_current_quota usage_limit_reached
			usage_limit_exceeded insufficient_balance not_enough_balance insufficient_user_quota insufficient_credits
			insufficient_funds pre_consume_token_quota_failed AllocationQuota.FreeTierOnly Arrearage AccountOverdue
			SetLimitExceeded AccountQuotaExceeded PrepaidBillOverdue PostpaidBillOverdue billing_error payment_required
			budget_exceeded ExceededBudget ExceededTokenBudget credits_exhausted out_of_credits ServiceQuotaExceeded
			token_quota_reached openrouter_free_tier_daily FreeUsageLimit MonthlyLimit user_weekly_rate_limited CreditsError
			1113 1304 1308 1310 1316 1317 1318 1319 1320 1321 base_resp.1008 base_resp.2056`,
		why:    "codes of money and allowances",
		source: "OpenAI, Codex, Moonshot, new-api, Alibaba, LiteLLM, Zhipu, MiniMax, Bedrock, OpenCode, Vercel, Volcengine",
	},
	{
		kind: Quota,
		texts: `per day | limit_rpd | / day | /day | rpd | tpd | per 86400s | byday | daily … limit | daily … allocation |
			daily … quota | daily … allowance | daily … usage | limit … daily | limit for today | today's limit |
			today's quota | again tomorrow | reset tomorrow | hour limit | day limit | week limit | per week |
			weekly … limit | week allocated | per month | / month | /month | monthly … limit | monthly … credits |
			monthly … quota | monthly … usage | monthly spend | limit … this month | month allocated | hour allocated |
			free allocated | billing cycle | api total request limit | 每日 | 当日 | 今日 | 每月 | 本月`,
		why:    "an allowance of a day or longer",
		source: "Groq, Gemini, Bedrock, OpenRouter, GitHub Models, Moonshot, Workers AI, Hugging Face, Baidu",
	},
	{
		kind:   Quota,
		texts:  `limit | quota`,
		when:   liftsLate,
		why:    "a limit that holds for hours is no throttle",
		source: "Codex, Copilot (wait 8 hours), Azure (retry after 86400 seconds)",
	},
	{
		kind:   Quota,
		texts:  `limit`,
		when:   allowsNone,
		why:    "there is nothing to wait for",
		source: "Gemini (limit: 0 on the free tier), Databricks",
	},
	{
		kind: Rate,
		texts: `per minute | per second | per hour | per min | /min | / minute | rpm | tpm | limit_rpm | byminute | qps |
			per_minute | rate limit … pricing tier`,
		why:    "an allowance of a minute, whatever it is called",
		source: "OpenAI, Anthropic, Gemini, Together, Cerebras",
	},
	{
		kind: Quota,
		texts: `insufficient balance | insufficient credit | insufficient fund | insufficient account |
			insufficient … balance to | insufficient … quota | not enough balance | balance is not enough |
			balance is too low | balance … too low | balance … insufficient | credit balance | not enough credit |
			out of credit | run out of … credit | out of extra usage | no credits | any credits | credits expired |
			credits are depleted | credits depleted | depleted your | credit limit | used all available credits |
			requires more credits | can only afford | tokens limit exceeded: | spending limit | spend limit | spending cap |
			key limit exceeded | free tier … exhausted | free usage exceeded | included free usage |
			free credits … exhausted | free credits … used | free credits … expired | free trial | trial … expired |
			budget … exceeded | max budget | payment required | billing required | arrears | usage limit | usage quota |
			usage cap | session limit | hit your limit | reached … usage limits | used up | premium request |
			call volume quota | in good standing | overdue | 余额 | 欠费 | 充值 | 额度 | 使用上限 | 用量超限 | 资源包`,
		why:    "money or a plan's allowance is used up",
		source: "Anthropic, OpenRouter, DeepSeek, xAI, Ollama, MiniMax, Zhipu, Alibaba, new-api, Azure, Gemini",
	},
	{
		kind:   Rate,
		codes:  `Throttling.AllocationQuota`,
		texts:  `quota increase request | online_prediction`,
		why:    "a throttle in the words of billing",
		source: "Alibaba, Vertex (quotas of requests a minute)",
	},
	{
		kind:   Rate,
		texts:  `quota | exhausted`,
		when:   liftsSoon,
		why:    "a quota that is free again within about a minute is a throttle",
		source: "Gemini (please retry in …)",
	},
	{
		kind:  Quota,
		codes: `QUOTA_EXHAUSTED quota_exceeded`,
		texts: `exceeded your current quota | exceeded current quota | check your plan and billing | check your billing |
			billing details | billing hard limit | exceeded your … quota | quota exceeded | quota is exceeded |
			quota has been exceeded | quota reached | from quota was rejected | exceeds the service quota |
			quota limit exceeded | quota … used | exhausted your | exhausted their | quota will reset | plan limit`,
		why:    "a quota that nothing says is short",
		source: "OpenAI, Gemini, Moonshot, Copilot",
	},

	// Model: it is not there.

	{
		kind: Model,
		codes: `model_not_found model_not_supported model_decommissioned model_is_deactivated model_not_available
			model_not_available_for_integrator model_deprecated ServiceModelDeprecating ServiceModelDeprecated invalid_model
			unknown_model unavailable_model UnsupportedModel InvalidEndpointOrModel.NotFound deployment_not_found
			OperationNotSupported unsupported_api_for_model no_providers_available 1211 1212 1221 1222`,
		why:    "codes of models",
		source: "OpenAI, Groq, Together, Mistral, GitHub Models, Azure, Copilot, Zhipu, Volcengine",
	},
	{
		kind: Model,
		texts: `model … does not exist | model … not exist | model … not found | model … is not found |
			model … decommissioned | model … deprecated | model … not supported | model … is not available |
			model … no longer | model … has been retired | model disabled | model is disabled | model has been disabled |
			model unloaded | model is unloaded | supported api model names | unknown model | unavailable model |
			no such model | invalid model | not a valid model | not a chat model | model is only supported in |
			model identifier is invalid | resolve the foundation model | doesn't support the model |
			does not support the model | unsupported model | does not support tools | does not support tool |
			does not support chat | does not support image | does not support vision | on demand throughput |
			inference profile | marked by provider as legacy | end of its life | end of life |
			specified version does not exist | not servable | no endpoints found | no endpoints available |
			no allowed providers | no available model provider | no available channel | 无可用渠道 | no models loaded |
			requires more system memory | too large to be loaded | failed to load model | unable to access model |
			unable to access … model | deployment … does not exist | function … not found for account |
			not supported by any provider | model: claude | 模型不存在`,
		why:    "the model is not to be had",
		source: "OpenAI, Bedrock, Vertex, OpenRouter, Hugging Face, new-api, LM Studio, Ollama, Together, Azure, NVIDIA",
	},

	// Auth: the key is refused.

	{
		kind: Auth,
		codes: `invalid_api_key incorrect_api_key account_deactivated access_terminated organization_restricted
			API_KEY_INVALID CREDENTIALS_MISSING invalid_authentication UnrecognizedClient ExpiredToken InvalidSignature
			IncompleteSignature MissingAuthenticationToken InvalidClientTokenId SignatureDoesNotMatch expired_api_key
			token_expired wrong_api_key authentication UNAUTHENTICATED invalid_token token_revoked token_invalidated
			API_KEY_HTTP_REFERRER_BLOCKED API_KEY_IP_ADDRESS_BLOCKED CONSUMER_SUSPENDED deactivated_workspace 1000 1001 1002
			1003 1004 1110 1111 1112 1121 base_resp.1004 base_resp.2049`,
		why:    "codes of keys",
		source: "OpenAI, Google, AWS, Anthropic, Moonshot, Alibaba, Zhipu, MiniMax, Groq",
	},
	{
		kind: Auth,
		texts: `invalid api key | incorrect api key | wrong api key | api key not valid | api key not found |
			api key expired | api key is invalid | api key … invalid | api key … expired | api key … disabled |
			api key … revoked | api key … leaked | no api key | missing api key | api key is missing | api key is required |
			has been revoked | provide an api key | api keys are not supported | invalid x api key | invalid api token |
			invalid token | invalid proxy server token | invalid access token | invalid bearer token | invalid oauth |
			token has expired | token … expired | token is invalid | access token invalid | security token … is invalid |
			invalid username or password | invalid subscription key | no auth credentials | authentication credentials |
			authentication fail | authentication error | invalid authentication | could not validate credentials |
			credentials could not be | unauthenticated | unregistered callers | been deactivated | deactivated account |
			account … suspended | organization has been disabled | has been restricted | key has been disabled |
			authentication is disabled | not a valid key | 无效的令牌 | 该令牌 | 令牌已 | 令牌状态 | 身份验证 | 鉴权 | 封禁`,
		why:    "the key is not good",
		source: "OpenAI, Gemini, Anthropic, Azure, AWS, Cohere, Hugging Face, LiteLLM, one-api",
	},

	// What passes by itself.

	{
		kind: Overload,
		codes: `overloaded server_is_overloaded engine_overloaded server_overloaded model_overloaded slow_down
			MODEL_CAPACITY_EXHAUSTED ModelNotReady ModelStreamErrorException service_unavailable capacity_exceeded
			insufficient_capacity insufficient_model_capacity InternalServer EngineDead NoCapacity queue_exceeded 1305
			base_resp.1000 base_resp.1013 base_resp.1024 base_resp.1033`,
		why:    "codes of capacity",
		source: "Anthropic, OpenAI, Moonshot, Gemini, Bedrock, Zhipu, Cerebras, Azure, MiniMax",
	},
	{
		kind: Timeout,
		codes: `timeout request_timeout gateway_timeout upstream_timeout ModelTimeout APITimeout inference_timeout
			base_resp.1001`,
		why:    "codes of timeouts",
		source: "LiteLLM, Bedrock, Azure, Alibaba, MiniMax",
	},
	{
		kind: Overload,
		texts: `overloaded | at capacity | at maximum capacity | no capacity | over capacity | capacity … exceeded |
			exceeded capacity | out of capacity | insufficient capacity | capacity temporarily | high demand |
			high traffic | high load | heavy load | peak load | server is busy | service is busy | servers are busy |
			system is busy | model is busy | model busy | system capacity | too busy | server busy |
			temporarily unavailable | service unavailable | currently unavailable | currently loading | loading model |
			model has crashed | bad gateway | no healthy upstream | upstream connect error … overflow |
			upstream connect error … connection failure | upstream connect error … connection termination | queue is full |
			engine is dead | enginecore | out of memory | error while processing the model | degraded function |
			no healthy deployment | 过载 | 饱和 | 繁忙 | 访问量过大`,
		why:    "no capacity now",
		source: "Anthropic, Gemini, Moonshot, Azure, Hugging Face, llama.cpp, Envoy, vLLM, DeepInfra, Zhipu, new-api",
	},
	{
		kind: Timeout,
		texts: `timed out | was timeout | gateway timeout | gateway time out | request timeout | timeout occurred |
			timeout error | timeout exceeded | connection timeout | idle timeout | deadline exceeded | deadline expired |
			took too long | before the given deadline | did not respond in time | upstream timeout`,
		why:    "no answer in time",
		source: "nginx, Envoy, Cloudflare, LiteLLM, Gemini, Azure",
	},
	{
		kind: Rate,
		codes: `rate_limit rate_limited rate_limit_exceeded rate_limit_reached upstream_provider_rate_limit
			user_model_rate_limited too_many_requests Throttling throttled RequestLimitExceeded RESOURCE_EXHAUSTED
			request_quota_exceeded token_quota_exceeded too_many_tokens limit_requests limit_burst_rate Throttling.RateQuota
			Throttling.BurstRate concurrency_limit_exceeded model_cooldown 1302 1303 base_resp.1002 base_resp.1039
			base_resp.1041 base_resp.2045`,
		why:    "codes of throttles",
		source: "OpenAI, Anthropic, Mistral, AWS, Google, Cerebras, Alibaba, Zhipu, MiniMax, Copilot",
	},
	{
		kind: Rate,
		texts: `you are being rate limited | rate limit | ratelimit | too many requests | too many tokens |
			too many concurrent | too frequent | throttl | slow down | concurrency limit | concurrent request |
			max concurrency | parallel request limit | cooling down | 请求过于频繁 | 请求数过多 | 请求次数 | 速率限制 | 频率 | 并发 | 限流`,
		why:    "a throttle",
		source: "all of them",
	},
	{
		kind: Entitlement,
		codes: `permission permission_denied AccessDenied request_forbidden
			The-caller-does-not-have-permission-to-execute-the-specified-operation`,
		why:    "the key is good, the thing is not allowed",
		source: "Anthropic, Google, AWS",
	},
}
