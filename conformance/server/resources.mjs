import { PNG } from './samples.mjs'

export function addResources(server) {
  server.resource(
    'static-text',
    { uri: 'test://static-text', description: 'A text', mimeType: 'text/plain' },
    () => 'This is the content of the static text resource.',
  )

  server.resource(
    'static-binary',
    { uri: 'test://static-binary', description: 'An image', mimeType: 'image/png' },
    () => Buffer.from(PNG, 'base64'),
  )

  server.resourceTemplate(
    'template-data',
    { uriTemplate: 'test://template/{id}/data', description: 'Data by id', mimeType: 'application/json' },
    ({ id }) => JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` }),
  )
}
