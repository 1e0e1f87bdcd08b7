import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { root } from '../ensure-built.ts'

/** A package of the lock file of an installed project. */
export interface Installed {
  readonly version?: string
  readonly hasInstallScript?: boolean
}

/** An empty project into which the packed tarball was installed, as a user does it. */
export class PackedProject {
  readonly folder = mkdtempSync(join(tmpdir(), 'rondo-packed-'))
  /** Files of the tarball. */
  readonly files: readonly string[]

  constructor() {
    const pack = ['pack', '--json', '--silent', '--ignore-scripts', '--pack-destination', this.folder]
    const [packed] = JSON.parse(execFileSync('npm', pack, { cwd: root, encoding: 'utf8' })) as [
      { filename: string; files: { path: string }[] },
    ]
    this.files = packed.files.map(({ path }) => path)
    writeFileSync(join(this.folder, 'package.json'), JSON.stringify({ name: 'empty', private: true, type: 'module' }))
    const install = ['install', `./${packed.filename}`, '--prefer-offline', '--no-audit', '--no-fund']
    execFileSync('npm', install, { cwd: this.folder, stdio: 'pipe' })
  }

  /** What was installed, by its place under `node_modules`. */
  get packages(): ReadonlyMap<string, Installed> {
    const lock = readFileSync(join(this.folder, 'package-lock.json'), 'utf8')
    const { packages } = JSON.parse(lock) as { packages: Record<string, Installed> }
    return new Map(Object.entries(packages).filter(([place]) => place !== ''))
  }

  /** Bytes of all installed files. */
  get size(): number {
    const modules = join(this.folder, 'node_modules')
    return readdirSync(modules, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0)
  }

  /** Runs a module in the project. @returns what it printed; throws with what it wrote to standard error. */
  run(source: string, flags: readonly string[] = []): string {
    writeFileSync(join(this.folder, 'main.mjs'), source)
    return this.#spawn(process.execPath, [...flags, 'main.mjs'])
  }

  /** Runs the installed command. */
  command(args: readonly string[]): string {
    return this.#spawn(join(this.folder, 'node_modules', '.bin', 'rondo'), args)
  }

  /** Writes a file of the project. */
  write(name: string, text: string): void {
    writeFileSync(join(this.folder, name), text)
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true })
  }

  #spawn(command: string, args: readonly string[]): string {
    const { status, stdout, stderr } = spawnSync(command, args, { cwd: this.folder, encoding: 'utf8', timeout: 60_000 })
    if (status !== 0) throw new Error(`${command} ended with ${String(status)}: ${stderr}${stdout}`)
    return stdout
  }
}
