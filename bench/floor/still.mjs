/** The bare server with its JSON work taken out: reads the body, answers a fixed text. */
import '../measure/answer-parent.mjs'
import { serve } from './serve.mjs'

serve(() => '{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"hello"}]}}')
