import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import type { EmbeddedConfig } from '../../db/embedded/embedded.ts'
import { builtProduct } from '../processes/built-product.ts'
import { buildFaultyProduct, buildProgram, buildThreads } from '../processes/bundle.ts'
import { runFolder } from '../temporary-folder.ts'
import { builtWebApp } from '../web-app.ts'
import { helper, helpersOf } from './imports.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /**
     * The PostgreSQL server of this run, its logins, and its migrated database, which each test file gets a copy of; and a
     * data folder with such a database, for servers of single tests.
     */
    postgres: { logins: EmbeddedConfig; superuser: string; template: string; migratedFolder: string }
  }
}

/** Runs once before all test files. PostgreSQL is started only if a file of this run needs it. */
export async function setup(project: TestProject) {
  const folder = mkdtempSync(join(tmpdir(), 'kontor-tests-'))
  process.env[runFolder] = folder
  await buildThreads()
  // Once, before test files run beside each other, and outside the time limits of their hooks.
  if (hasBrowserTests(project)) await builtWebApp()
  if (areUsing(project, 'processes/built-product.ts')) await builtProduct()
  if (areUsing(project, 'processes/program.ts')) await Promise.all([buildProgram('worker'), buildFaultyProduct()])
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
const needsDatabase = (project: TestProject): boolean => project.vitest.config.watch || areUsing(project, 'database.ts')

/** Whether a test file of this run imports a helper. */
const areUsing = ({ vitest }: TestProject, name: string): boolean =>
  vitest.state.getPaths().some((file) => helpersOf(file).has(helper(name)))
