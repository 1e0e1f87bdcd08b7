import '../measure/answer-parent.mjs'
import { handle, tools } from './handle.mjs'
import { serve } from './serve.mjs'

const list = tools(Number(process.argv[2] ?? 1))
serve((text) => handle(text, list))
