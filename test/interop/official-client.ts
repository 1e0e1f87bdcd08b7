import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { ANSWERS } from './matrix.ts'

/** Where a server is reached: its URL, or the program to start. */
export type Address = { readonly url: string } | { readonly file: string }

/** A client of the official SDK, connected, that answers every kind of ask. */
export async function officialClient(address: Address, mode: 'auto' | 'legacy' | { pin: string }): Promise<Client> {
  const client = new Client(
    { name: 'official', version: '1.0.0' },
    {
      versionNegotiation: { mode },
      capabilities: { elicitation: { form: {}, url: {} }, sampling: { tools: {} }, roots: {} },
    },
  )
  client.setRequestHandler('elicitation/create', ({ params }) => {
    return params.mode === 'url' ? { ...ANSWERS.url } : { action: 'accept', content: { ...ANSWERS.form.content } }
  })
  client.setRequestHandler('sampling/createMessage', ({ params }) => {
    const answer = params.tools === undefined ? ANSWERS.sampling : ANSWERS.sampling_tools
    return structuredClone(answer) as never
  })
  client.setRequestHandler('roots/list', () => ({ roots: [...ANSWERS.roots.roots] }))
  await client.connect(
    'url' in address
      ? new StreamableHTTPClientTransport(new URL(address.url))
      : new StdioClientTransport({ command: process.execPath, args: [address.file, 'stdio'] }),
  )
  return client
}
