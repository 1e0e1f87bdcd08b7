export { type AnyRondoError, isRondoError, RondoError } from '../errors/rondo-error.ts'
export { Client, type PageParams, type PromptArguments, type ToolArguments } from '../client/client.ts'
export { type ClientHost } from '../client/client-host.ts'
export {
  type CallLimits,
  type CallOptions,
  type ClientLog,
  type ClientOptions,
  type DeliveryListener,
  type HeaderSource,
  type LogMessage,
  type Progress,
  type RequestCallOptions,
  type ResumeOptions,
  type ToolCallOptions,
  type Undelivered,
  type Wait,
  type WaitListener,
} from '../client/client-options.ts'
export {
  type Ask,
  type AskingServer,
  type AskKind,
  type CallInfo,
  type FormAsk,
  type Handlers,
  type UrlAsk,
} from '../client/handlers.ts'
export { InputRequiredError } from '../client/input-required-error.ts'
export { Pages } from '../client/pages.ts'
export { ResponseError, RoundRefusedError } from '../client/response-error.ts'
export {
  type Answer,
  type Answers,
  type Completed,
  type InputRequest,
  type OriginalRequest,
  type Round,
  type RoundMethod,
  type RoundOutcome,
} from '../client/round.ts'
export { type ToolResult } from '../client/tool-result.ts'
export {
  isTransport,
  type OutgoingRequest,
  type Received,
  type RequestOptions,
  type Transport,
} from '../client/transport.ts'
export { connect, type ConnectOptions, type ConnectTarget } from '../open/connect.ts'
export { httpTransport, type HttpTransportOptions } from '../transport/http/client.ts'
export { type InProcessServer, memoryTransport, type MemoryTransportOptions } from '../transport/memory/client.ts'
export { ResultType } from '../protocol/result-type.ts'
