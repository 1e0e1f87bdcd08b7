#!/usr/bin/env node
import { run } from '../cli/program.ts'
import { nodeHost } from '../cli/terminal/host.node.ts'

process.exitCode = await run(process.argv.slice(2), nodeHost())
