import { readConfig, WrongSetting } from '../../config/config.ts'
import { verifyChain } from '../../verify/chain-file.ts'
import { say, sayInLog } from '../say.ts'
import { start, workOnly } from '../start/start.ts'
import { createAccount } from './account-command.ts'
import { backupCommands } from './backup-commands.ts'
import type { Command, Given } from './command.ts'
import { migrateOnly, removeSecondFactorOnly, rotateOnly, seedOnly, verifyOnly } from './maintenance.ts'
import { connectAgent } from './mcp-command.ts'

const withoutSecretsAbout =
  'With --without-secrets: although the secrets key is lost; what it encrypted is marked as lost'
const secretsOption = (flags: ReadonlySet<string>) => ({ withoutSecrets: flags.has('without-secrets') })

/** Every command, in the order of the help. */
export const commands: readonly Command[] = [
  {
    name: 'start',
    takes: '[--without-secrets]',
    about: `runs everything: database, API, pages, worker (this is npm start).\n${withoutSecretsAbout}`,
    options: { 'without-secrets': 'flag' },
    run: ({ flags }) => serve(readConfig(process.env), { withWorker: true, ...secretsOption(flags) }),
  },
  {
    name: 'api',
    takes: '[--without-secrets]',
    about: `runs the API on the database in DATABASE_URL.\n${withoutSecretsAbout}`,
    options: { 'without-secrets': 'flag' },
    run: ({ flags }) => serve(needsDatabase('api'), { withWorker: false, ...secretsOption(flags) }),
  },
  {
    name: 'worker',
    about: 'runs a worker on the database in DATABASE_URL',
    run() {
      const config = needsDatabase('worker')
      return workOnly(config, sayInLog(config))
    },
  },
  {
    name: 'verify',
    takes: '[--without-secrets | --chain <file> [--head <hash>]]',
    about:
      'checks every invariant of the books; fails if one is broken.\nWith --without-secrets: does not ask for the secrets key.\nWith --chain: checks the hash chain of an exported document history, without a database',
    options: { chain: 'value', head: 'value', 'without-secrets': 'flag' },
    run: verifyBooks,
  },
  {
    name: 'migrate',
    about: 'migrates the database to this version and exits',
    run: () => migrateOnly(readConfig(process.env), say),
  },
  {
    name: 'demo',
    about: 'fills an empty database with the demo companies and exits',
    run: () => seedOnly(readConfig(process.env), say),
  },
  {
    name: 'account create',
    takes: '<email> [--name <name>]',
    about: 'creates an account, also if sign-up is closed, and prints a link to choose its password',
    words: { min: 1, max: 1, called: 'one e-mail address' },
    options: { name: 'value' },
    run: ({ words: [email = ''], values: { name } }) => createAccount(readConfig(process.env), { email, name }, say),
  },
  ...backupCommands,
  {
    name: 'secrets rotate',
    takes: '[--data]',
    about: 'wraps all keys with the first one of KONTOR_SECRETS_KEY; with --data also re-encrypts all secrets',
    options: { data: 'flag' },
    run: ({ flags }) => rotateOnly(readConfig(process.env), { data: flags.has('data') }, say),
  },
  {
    name: 'second-factor remove',
    takes: '<email>',
    about: 'removes the second factor of a person who has lost it; passkeys stay',
    words: { min: 1, max: 1, called: 'one e-mail address' },
    run: ({ words: [email = ''] }) => removeSecondFactorOnly(readConfig(process.env), email, say),
  },
  {
    name: 'mcp',
    takes: '[--tools compact]',
    about:
      'connects an MCP client on standard input and output to the running Kontor (or the one at KONTOR_URL) with the key in\nKONTOR_API_KEY; compact lists the everyday tools in few words, and the agent finds the others by search',
    options: { tools: 'value' },
    run: ({ values: { tools } }) => connectAgent(tools, process.env),
  },
]

type Settings = ReturnType<typeof readConfig>

const serve = (config: Settings, options: { withWorker: boolean; withoutSecrets: boolean }) =>
  start(config, sayInLog(config), options)

function needsDatabase(verb: string): Settings {
  const config = readConfig(process.env)
  if (!config.databaseUrl)
    throw new WrongSetting(`kontor ${verb} needs a database of your own: set DATABASE_URL. kontor start includes one.`)
  return config
}

async function verifyBooks({ values: { chain, head }, flags }: Given): Promise<void> {
  const words = [...(chain ? ['--chain', chain] : []), ...(head ? ['--head', head] : [])]
  const holds =
    words.length > 0 ? verifyChain(words, say) : await verifyOnly(readConfig(process.env), secretsOption(flags), say)
  process.exitCode = holds ? 0 : 1
}
