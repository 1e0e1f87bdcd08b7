export { sseHandler, type SseNodeHandler } from '../transport/http/sse/sse.node.ts'
export type { SseOptions } from '../transport/http/sse/sse-handler.ts'
export type { Receiver } from '../transport/receiver.ts'
