import { spawnSync } from 'node:child_process'
import { accessSync, constants } from 'node:fs'
import { delimiter, join, sep } from 'node:path'

const LINKED = `${sep}node_modules${sep}`

/**
 * The Node of this machine. `npm run` and `npx` put `node_modules/.bin` first in the path, where the newer Node stands
 * that runs the official conformance suite: what is tested and measured is to run on the machine's own.
 */
export function machineNode() {
  if (!process.execPath.includes(LINKED)) return process.execPath
  const folders = (process.env.PATH ?? '').split(delimiter).filter((folder) => !`${folder}${sep}`.includes(LINKED))
  return folders.map((folder) => join(folder, 'node')).find(isRunnable) ?? process.execPath
}

/** Its version, such as `v20.20.2`. */
export function machineVersion() {
  return spawnSync(machineNode(), ['--version'], { encoding: 'utf8' }).stdout.trim()
}

function isRunnable(file) {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}
