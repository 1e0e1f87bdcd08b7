import { type JsonRpcNotification, type RequestId } from '../jsonrpc/messages.ts'
import { isLoggingLevel } from '../protocol/logging.ts'
import { METHODS } from '../protocol/methods.ts'
import { type Progress, type RequestCallOptions } from './client-options.ts'

/**
 * What a request does with the notifications that come ahead of its response, or `undefined` when nobody wants any.
 * Those of other requests, and those that cannot be read, are passed over.
 */
export function notificationSink(
  id: RequestId,
  options: RequestCallOptions | undefined,
  progressed: () => void,
): ((notification: JsonRpcNotification) => void) | undefined {
  const { onProgress, onLog } = options ?? {}
  if (onProgress === undefined && onLog === undefined) return undefined
  return ({ method, params }) => {
    if (params === undefined) return
    if (method === METHODS.progress && onProgress && params['progressToken'] === id) {
      const progress = readProgress(params)
      if (progress === undefined) return
      progressed()
      onProgress(progress)
    } else if (method === METHODS.message && onLog && isLoggingLevel(params['level'])) {
      const { level, logger, data } = params
      onLog(typeof logger === 'string' ? { level, logger, data } : { level, data })
    }
  }
}

function readProgress(params: Readonly<Record<string, unknown>>): Progress | undefined {
  const { progress, total, message } = params
  if (typeof progress !== 'number') return undefined
  return {
    progress,
    ...(typeof total === 'number' ? { total } : {}),
    ...(typeof message === 'string' ? { message } : {}),
  }
}
