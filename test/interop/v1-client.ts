import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import {
  CreateMessageRequestSchema,
  ElicitRequestSchema,
  ListRootsRequestSchema,
} from '@modelcontextprotocol/sdk/types.js'
import { ANSWERS } from './matrix.ts'
import type { Address } from './official-client.ts'

/** A client of version 1 of the official SDK, connected, that answers every kind of ask. */
export async function v1Client(address: Address): Promise<Client> {
  const client = new Client(
    { name: 'official-1', version: '1.0.0' },
    { capabilities: { elicitation: { form: {}, url: {} }, sampling: { tools: {} }, roots: {} } },
  )
  client.setRequestHandler(ElicitRequestSchema, ({ params }) =>
    params.mode === 'url' ? { ...ANSWERS.url } : { action: 'accept', content: { ...ANSWERS.form.content } },
  )
  client.setRequestHandler(CreateMessageRequestSchema, ({ params }) => {
    const answer = params.tools === undefined ? ANSWERS.sampling : ANSWERS.sampling_tools
    return structuredClone(answer)
  })
  client.setRequestHandler(ListRootsRequestSchema, () => ({ roots: [...ANSWERS.roots.roots] }))
  const transport =
    'url' in address
      ? new StreamableHTTPClientTransport(new URL(address.url))
      : new StdioClientTransport({ command: process.execPath, args: [address.file, 'stdio'] })

  await client.connect(transport)
  return client
}
