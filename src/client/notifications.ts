import { type JsonRpcNotification, type RequestId } from '../jsonrpc/messages.ts'
import { isLoggingLevel } from '../protocol/logging.ts'
import { METHODS } from '../protocol/methods.ts'
import { type Progress, type RequestCallOptions } from './client-options.ts'
import { type RequestScope } from './request-scope.ts'

/**
 * What a request does with the notifications that come ahead of its response, or `undefined` when nobody wants any.
 * Those of other requests, and those that cannot be read, are passed over. What a listener throws ends the request.
 */
export function notificationSink(
  id: RequestId,
  options: RequestCallOptions | undefined,
  scope: Pick<RequestScope, 'progressed' | 'tell'>,
): ((notification: JsonRpcNotification) => void) | undefined {
  const { onProgress, onLog } = options ?? {}
  if (onProgress === undefined && onLog === undefined) return undefined
  const take = ({ method, params }: JsonRpcNotification): unknown => {
    if (params === undefined) return
    if (method === METHODS.progress && onProgress && params['progressToken'] === id) {
      const progress = readProgress(params)
      if (progress === undefined) return
      scope.progressed()
      return onProgress(progress)
    } else if (method === METHODS.message && onLog && isLoggingLevel(params['level'])) {
      const { level, logger, data } = params
      return onLog(typeof logger === 'string' ? { level, logger, data } : { level, data })
    }
  }
  return (notification) => scope.tell(() => take(notification))
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
