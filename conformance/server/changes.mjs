/** Tools that change a list while the server runs: the suite listens meanwhile. */
export function addChanges(server) {
  let count = 0
  server.tool('test_trigger_tool_change', { description: 'Registers a tool, and takes it away again' }, () => {
    server.tool(`test_dynamic_${++count}`, { description: 'Here for a moment' }, () => '').remove()
    return 'Changed.'
  })
  server.tool('test_trigger_prompt_change', { description: 'Registers a prompt, and takes it away again' }, () => {
    server.prompt(`test_dynamic_${++count}`, { description: 'Here for a moment' }, () => '').remove()
    return 'Changed.'
  })
}
