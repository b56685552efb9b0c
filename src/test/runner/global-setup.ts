import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import type { EmbeddedConfig } from '../../db/embedded/embedded.ts'
import { buildThreads } from '../processes/bundle.ts'
import { runFolder } from '../temporary-folder.ts'
import { builtWebApp } from '../web-app.ts'
import { helper, helpersOf } from './imports.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The PostgreSQL server of this run, its logins, and its migrated database, which each test file gets a copy of. */
    postgres: { logins: EmbeddedConfig; superuser: string; template: string }
  }
}

/** Runs once before all test files. PostgreSQL is started only if a file of this run needs it. */
export async function setup(project: TestProject) {
  const folder = mkdtempSync(join(tmpdir(), 'kontor-tests-'))
  process.env[runFolder] = folder
  await buildThreads()
  if (hasBrowserTests(project)) await builtWebApp() // once, before test files run beside each other
  const postgres = needsDatabase(project) ? await startPostgres(folder) : undefined
  if (postgres) project.provide('postgres', postgres.address)
  return async () => {
    await postgres?.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

async function startPostgres(folder: string) {
  const postgres = await import('./postgres.ts')
  return postgres.startPostgres(folder)
}

const hasBrowserTests = ({ vitest }: TestProject): boolean =>
  vitest.state.getPaths().some((file) => file.endsWith('.browser.test.ts'))

/** In watch mode any file may run later. */
function needsDatabase({ vitest }: TestProject): boolean {
  if (vitest.config.watch) return true
  return vitest.state.getPaths().some((file) => helpersOf(file).has(helper('database.ts')))
}
