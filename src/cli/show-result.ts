import { type BlobResourceContents, type ContentBlock, type TextResourceContents } from '../protocol/content.ts'
import { type GetPromptResult } from '../protocol/prompt.ts'
import { type ReadResourceResult } from '../protocol/resource.ts'
import { type CallToolResult } from '../protocol/tool.ts'
import { harmless, harmlessJson, oneLine } from './terminal/harmless.ts'

/** A tool's result as text for people: its blocks in their order, or its structured value where it has no blocks. */
export function resultText(result: CallToolResult): string {
  const blocks = result.content.map(blockText)
  if (blocks.length === 0 && result.structuredContent !== undefined) return harmlessJson(result.structuredContent)
  return blocks.join('\n')
}

/** A prompt's messages as text for people: who speaks, then what. */
export function promptText({ messages }: GetPromptResult): string {
  return messages.map(({ role, content }) => `${oneLine(role, 20)}:\n${blockText(content)}`).join('\n\n')
}

/** What a resource holds, as text for people; what is no text by its size. */
export function contentsText({ contents }: ReadResourceResult): string {
  return contents.map(heldText).join('\n')
}

function heldText(held: TextResourceContents | BlobResourceContents): string {
  return 'text' in held ? harmless(held.text) : `[resource ${oneLine(held.uri, 500)}, ${size(held.blob)}]`
}

function blockText(block: ContentBlock): string {
  switch (block.type) {
    case 'text':
      return harmless(block.text)
    case 'image':
    case 'audio':
      return `[${block.type}, ${oneLine(block.mimeType, 60)}, ${size(block.data)}]`
    case 'resource_link':
      return `[${oneLine(block.title ?? block.name, 120)}] ${oneLine(block.uri, 500)}`
    case 'resource':
      return heldText(block.resource)
    default:
      return `[${oneLine(String((block as { type?: unknown }).type), 60)}]`
  }
}

/** Size of what base64 text holds. */
function size(base64: string): string {
  const bytes = Math.floor((base64.replace(/=+$/, '').length * 3) / 4)
  return bytes < 1024 ? `${bytes} bytes` : `${(bytes / 1024).toFixed(1)} KiB`
}
