/** The revision this code is written for. */
export const MODERN_REVISION = '2026-07-28'

/** Revisions whose requests carry their own metadata, newest first. */
export const MODERN_REVISIONS = Object.freeze([MODERN_REVISION] as const)

/** Revisions that begin with `initialize`, newest first. */
export const LEGACY_REVISIONS = Object.freeze(['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'] as const)

/** Every revision Rondo speaks, newest first. */
export const REVISIONS = Object.freeze([...MODERN_REVISIONS, ...LEGACY_REVISIONS] as const)

export type ModernRevision = (typeof MODERN_REVISIONS)[number]
export type LegacyRevision = (typeof LEGACY_REVISIONS)[number]
export type Revision = (typeof REVISIONS)[number]

/** Whether `version` is a revision with per-request metadata that Rondo speaks. */
export function isModernRevision(version: unknown): version is ModernRevision {
  return (MODERN_REVISIONS as readonly unknown[]).includes(version)
}

/** Whether `version` is a revision with `initialize` that Rondo knows. */
export function isLegacyRevision(version: unknown): version is LegacyRevision {
  return (LEGACY_REVISIONS as readonly unknown[]).includes(version)
}
