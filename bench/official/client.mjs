import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { driveClient } from '../measure/drive-client.mjs'

await driveClient(async (url) => {
  const client = new Client(
    { name: 'official', version: '1.0.0' },
    { versionNegotiation: { mode: { pin: '2026-07-28' } } },
  )
  await client.connect(new StreamableHTTPClientTransport(url))
  return { callTool: (name, args) => client.callTool({ name, arguments: args }) }
})
