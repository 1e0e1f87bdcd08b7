import type { Duration } from './duration.ts'

export const good: Duration[] = [250, '10 min', '20s', '1.5 h', `${3} ms`]
// @ts-expect-error an unknown unit
export const unit: Duration = '10 minutes'
// @ts-expect-error no unit
export const bare: Duration = '10'
