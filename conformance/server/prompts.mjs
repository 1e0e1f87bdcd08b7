import { PNG } from './samples.mjs'

const user = (content) => ({ role: 'user', content })
const text = (value) => user({ type: 'text', text: value })
const required = (description) => ({ description, required: true })

export function addPrompts(server) {
  server.prompt(
    'test_simple_prompt',
    { description: 'A prompt of one message' },
    () => 'This is a simple prompt for testing.',
  )

  server.prompt(
    'test_prompt_with_arguments',
    {
      description: 'A prompt with two arguments',
      arguments: {
        arg1: { ...required('First'), complete: ['testValue1', 'testValue2', 'other'] },
        arg2: required('Second'),
      },
    },
    ({ arg1, arg2 }) => `Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`,
  )

  server.prompt(
    'test_prompt_with_embedded_resource',
    { description: 'A prompt that carries a resource', arguments: { resourceUri: required('URI of the resource') } },
    ({ resourceUri }) => [
      user({
        type: 'resource',
        resource: { uri: resourceUri, mimeType: 'text/plain', text: 'Embedded resource content for testing.' },
      }),
      text('Please process the embedded resource above.'),
    ],
  )

  server.prompt('test_prompt_with_image', { description: 'A prompt that carries an image' }, () => [
    user({ type: 'image', mimeType: 'image/png', data: PNG }),
    text('Please analyze the image above.'),
  ])

  server.prompt(
    'test_input_required_result_prompt',
    { description: 'A prompt that asks first' },
    async (_args, ctx) => {
      const schema = { type: 'object', properties: { context: { type: 'string' } }, required: ['context'] }
      const answer = await ctx.ask.form('user_context', { message: 'In which context?', schema })
      return `Context: ${answer.action === 'accept' ? answer.content.context : 'none'}`
    },
  )
}
