import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { apiOperations } from '../catalog/operations.ts'
import { type Role, roles } from '../core/define/access.ts'
import type { Operation } from '../core/define/operation.ts'
import { analyzeGrownTables, oneAtATime } from './database.ts'
import { inputFor, moveFor, rowOf, rows } from './rows.ts'
import { runFolder } from './temporary-folder.ts'
import { keepWorld, member, openWorld, operationNamed, person, Someone, type Template, theApp } from './world.ts'

/**
 * An API whose database is filled: people, organizations, a row of each table, and input for every operation. It is filled
 * once in a run, and each test file that imports this one gets a copy of it.
 */

type Input = Record<string, unknown>

type Contents = {
  owner: Someone
  /** The same person in a second organization. */
  elsewhere: Someone
  /** The owner of another organization. */
  other: Someone
  colleagues: Record<Role, Someone>
  /** A row of each table, of the owner and of the other one. */
  hers: Record<string, string>
  foreign: Record<string, string>
  /** Input that each operation accepts from the owner. */
  inputs: Record<string, Input>
}

let contents: Contents
let taken: Set<string>

/** Runs before the tests of each file that imports this one (runner/file-setup.ts). */
export async function openFilledWorld() {
  const { template, filled } = await oneAtATime('the filled template', readOrFill)
  await openWorld(template)
  contents = revived(filled)
  taken = new Set()
}

/** The people and rows of the copy. */
export const filled = () => contents

export const colleague = (role: Role): Someone => contents.colleagues[role]

/**
 * Input for requests that are refused or only read: they change nothing, so they share the rows that it names. The
 * organization is moved to the country of the operation.
 */
export async function sharedInput(operation: Operation): Promise<Input> {
  const input = contents.inputs[operation.name]
  if (!input) throw new Error(`There is no input for ${operation.name}.`)
  await moveFor(operation, contents.owner)
  return structuredClone(input)
}

/** Input for a call that may use up its rows, so that a file gets it once. */
export async function inputOnce(operation: Operation): Promise<Input> {
  if (taken.has(operation.name)) throw new Error(`The input of ${operation.name} was used before in this file.`)
  taken.add(operation.name)
  return changedByOthers.has(operation.name) ? inputFor(operation, contents.owner) : sharedInput(operation)
}

/** Operations whose prepared rows others change or remove: they get new ones. */
const changedByOthers = new Set([
  'payroll_payslip_delete', // payroll_approve approves every payslip of the month
  'settings_logo', // settings_update removes the logo
  'integrations_tax_authority_connect', // another operation removes what was entered
])

/** One worker fills the template; the other waits and reads what it has written. */
async function readOrFill(): Promise<{ template: Template; filled: Contents }> {
  const folder = String(process.env[runFolder])
  const file = join(folder, 'filled.json')
  if (!existsSync(file)) {
    await openWorld()
    const filled = await fill()
    await theApp().system.raw.query(analyzeGrownTables)
    const { database, dataDir } = await keepWorld()
    renameSync(dataDir, join(folder, 'filled'))
    writeFileSync(file, JSON.stringify({ template: { database, dataDir: join(folder, 'filled') }, filled }))
  }
  return JSON.parse(readFileSync(file, 'utf8'))
}

async function fill(): Promise<Contents> {
  const founder = await person('Amy')
  const [owner, elsewhere] = [await settled(founder), await settled(founder)]
  const other = await member('OWNER')
  const colleagues = {} as Record<Role, Someone>
  for (const role of roles) colleagues[role] = await member(role, { of: owner })
  const [hers, foreign] = [await oneOfEach(owner), await oneOfEach(other)]
  const inputs: Contents['inputs'] = {}
  for (const operation of apiOperations) inputs[operation.name] = await inputFor(operation, owner)
  await moveFor(operationNamed('customers_list'), owner) // back from the country of the last operation
  return { owner, elsewhere, other, colleagues, hers, foreign, inputs }
}

async function settled(someone: Someone) {
  const { id } = await someone.call('organizations_create', { name: 'Acme', country: 'SG' })
  return new Someone(someone.userId, someone.credentials, id)
}

async function oneOfEach(someone: Someone) {
  const ids: Record<string, string> = {}
  for (const table of Object.keys(rows)) ids[table] = await rowOf(table, someone)
  return ids
}

/** The people as callers, which a file of JSON does not keep. */
function revived(written: Contents): Contents {
  const caller = ({ userId, credentials, organizationId }: Someone) => new Someone(userId, credentials, organizationId)
  return {
    ...written,
    owner: caller(written.owner),
    elsewhere: caller(written.elsewhere),
    other: caller(written.other),
    colleagues: Object.fromEntries(roles.map((role) => [role, caller(written.colleagues[role])])) as Record<
      Role,
      Someone
    >,
  }
}
