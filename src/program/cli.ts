import { join, resolve } from 'node:path'
import { WrongSetting } from '../config/config.ts'
import { addEnvFile } from '../config/env-file.ts'
import { buildVersion } from '../core/observe/build-version.ts'
import { reasonOf } from '../db/connect-failure.ts'
import { StartFailure } from '../db/start-failure.ts'
import { choose, helpOfAll } from './commands/command.ts'
import { commands } from './commands/commands.ts'
import { handOver, withoutAccess } from './data-folder/folder-owner.ts'
import { kontorCommand, settingsFile, workFolder } from './data-folder/home.ts'
import { say, sayAside } from './say.ts'
import { isNotReady } from './start/open-database.ts'

const help = `Kontor: financial operations for small companies, their bookkeepers and their AI agents.

${helpOfAll(commands)}
  kontor --version  shows the version
  kontor <command> --help
                    shows the help of a command, and runs nothing

kontor is ${kontorCommand}, from any folder.
Settings come from the environment and from ${join(workFolder, '.env')}; ${settingsFile} explains each one.`

async function main(words: string[]): Promise<void> {
  if (words[0] === '--version') return say(buildVersion)
  const chosen = choose(commands, words, help)
  if ('print' in chosen) return say(chosen.print)
  const { command, given } = chosen
  const file = addEnvFile(process.env, workFolder)
  if (file) sayAside(`Settings of ${file.file} are used${file.names.length > 0 ? `: ${file.names.join(', ')}` : ''}.`)
  process.env.KONTOR_DATA ||= join(workFolder, 'data')
  const dataDir = resolve(process.env.KONTOR_DATA)
  try {
    await command.run(given)
  } catch (error) {
    throw withoutAccess(error, dataDir)
  } finally {
    handOver(dataDir)
  }
}

/** Errors that the operator can fix are shown as a sentence, all others with their stack trace. */
main(process.argv.slice(2)).catch((error: unknown) => {
  const expected = error instanceof WrongSetting || error instanceof StartFailure
  if (isNotReady(error))
    sayAside(`The database cannot be reached any more (${reasonOf(error)}). Try again when it runs.`)
  else sayAside(expected ? error.message : error instanceof Error ? (error.stack ?? error.message) : String(error))
  process.exit(1)
})
