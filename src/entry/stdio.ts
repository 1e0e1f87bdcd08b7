export { serve, type ServeOptions, type Serving } from '../open/serve.node.ts'
export { command, type CommandOptions } from '../transport/stdio/command.node.ts'
export type { Receiver } from '../transport/receiver.ts'
