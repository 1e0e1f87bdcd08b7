/** What of the official suite is run at which revision, and why the rest is not. */

export const REVISIONS = ['2026-07-28', '2025-11-25', '2025-06-18', '2025-03-26']

const CLIENT_LATER = 'the client speaks 2026-07-28 alone'
const TASKS = 'the tasks extension is not declared yet'
const AUTH = 'authorization is not built yet'

/** Server scenarios of `--requirements 2026-07-28`; the last three are reported by the suite without being scored. */
const SERVER = [
  'server-stateless',
  'completion-complete',
  'tools-list',
  'tools-call-simple-text',
  'tools-call-image',
  'tools-call-audio',
  'tools-call-embedded-resource',
  'tools-call-mixed-content',
  'tools-call-error',
  'tools-call-with-progress',
  'server-sse-multiple-streams',
  'resources-list',
  'resources-read-text',
  'resources-read-binary',
  'resources-templates-read',
  'sep-2164-resource-not-found',
  'prompts-list',
  'prompts-get-simple',
  'prompts-get-with-args',
  'prompts-get-embedded-resource',
  'prompts-get-with-image',
  'dns-rebinding-protection',
  'caching',
  'input-required-result-basic-elicitation',
  'input-required-result-basic-sampling',
  'input-required-result-basic-list-roots',
  'input-required-result-request-state',
  'input-required-result-multiple-input-requests',
  'input-required-result-multi-round',
  'input-required-result-missing-input-response',
  'input-required-result-non-tool-request',
  'input-required-result-result-type',
  'input-required-result-unsupported-methods',
  'input-required-result-tampered-state',
  'input-required-result-capability-check',
  'input-required-result-ignore-extra-params',
  'input-required-result-validate-input',
  'http-header-validation',
  'http-custom-header-server-validation',
  'json-schema-2020-12',
]

/** Server scenarios of 2025-06-18, and of 2025-11-25 too. */
const SINCE_2025_06 = [
  'server-initialize',
  'server-session-lifecycle',
  'logging-set-level',
  'ping',
  'completion-complete',
  'tools-list',
  'tools-call-simple-text',
  'tools-call-image',
  'tools-call-audio',
  'tools-call-embedded-resource',
  'tools-call-mixed-content',
  'tools-call-with-logging',
  'tools-call-error',
  'tools-call-with-progress',
  'tools-call-sampling',
  'tools-call-elicitation',
  'resources-list',
  'resources-read-text',
  'resources-read-binary',
  'resources-templates-read',
  'resources-subscribe',
  'resources-unsubscribe',
  'prompts-list',
  'prompts-get-simple',
  'prompts-get-with-args',
  'prompts-get-embedded-resource',
  'prompts-get-with-image',
]
const SINCE_2025_11 = [
  ...SINCE_2025_06,
  'elicitation-sep1034-defaults',
  'elicitation-sep1330-enums',
  'server-sse-multiple-streams',
  'server-sse-polling',
  'dns-rebinding-protection',
  'json-schema-2020-12',
]

const CLIENT = [
  'tools_call',
  'request-metadata',
  'sep-2322-client-request-state',
  'http-standard-headers',
  'http-custom-headers',
  'http-invalid-tool-headers',
  'json-schema-ref-no-deref',
  'json-schema-2020-12-preservation',
]

const because = (reason, names) => names.map((name) => ({ name, reason }))

const older = (run) => ({
  server: { run, left: [] },
  client: { run: [], left: because(CLIENT_LATER, ['initialize', 'tools_call', 'and the rest']) },
})

export const SCENARIOS = {
  '2026-07-28': {
    server: {
      run: SERVER,
      left: because(TASKS, [
        'tasks-lifecycle',
        'tasks-capability-negotiation',
        'tasks-wire-fields',
        'tasks-request-state-removal',
        'tasks-mrtr-input',
        'tasks-request-headers',
        'tasks-dispatch-and-envelope',
        'tasks-required-task-error',
        'tasks-mrtr-composition',
        'tasks-status-notifications',
      ]),
    },
    client: {
      run: CLIENT,
      left: because(AUTH, [
        'auth/metadata-default',
        'auth/metadata-var1',
        'auth/metadata-var2',
        'auth/metadata-var3',
        'auth/basic-cimd',
        'auth/scope-from-www-authenticate',
        'auth/scope-from-scopes-supported',
        'auth/scope-omitted-when-undefined',
        'auth/scope-step-up',
        'auth/scope-retry-limit',
        'auth/token-endpoint-auth-basic',
        'auth/token-endpoint-auth-post',
        'auth/token-endpoint-auth-none',
        'auth/pre-registration',
        'auth/resource-mismatch',
        'auth/offline-access-scope',
        'auth/offline-access-not-supported',
        'auth/authorization-server-migration',
        'auth/iss-supported',
        'auth/iss-not-advertised',
        'auth/iss-supported-missing',
        'auth/iss-wrong-issuer',
        'auth/iss-unexpected',
        'auth/iss-normalized',
        'auth/metadata-issuer-mismatch',
        'auth/client-credentials-jwt',
        'auth/client-credentials-basic',
        'auth/enterprise-managed-authorization',
        'auth/dpop',
        'auth/dpop-nonce',
        'auth/wif-jwt-bearer',
      ]),
    },
  },
  '2025-11-25': older(SINCE_2025_11),
  '2025-06-18': older(SINCE_2025_06),
  '2025-03-26': older(['server-session-lifecycle']),
}
