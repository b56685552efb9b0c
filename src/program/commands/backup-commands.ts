import { readConfig, WrongSetting } from '../../config/config.ts'
import { buildVersion } from '../../core/observe/build-version.ts'
import { say } from '../say.ts'
import { backupOnly, checkOnly, keyOnly } from '../start/start-backup.ts'
import { restoreOnly } from '../start/start-restore.ts'
import type { Command } from './command.ts'

/** For commands that read a file only, also on a machine that has no key: strict mode would ask for one. */
const withoutDatabase = () => readConfig({ ...process.env, KONTOR_MODE: 'local' })

/** The commands that write and read backups. */
export const backupCommands: readonly Command[] = [
  {
    name: 'backup',
    takes: '[file] [--with-key | --without-secrets | --check | --key]',
    about: [
      'writes everything into one file, while Kontor runs or not, encrypted if KONTOR_BACKUP_PASSPHRASE (or',
      'KONTOR_BACKUP_PASSPHRASE_FILE) is set; with --with-key, which needs the passphrase, it includes the secrets key;',
      '--without-secrets accepts a lost key. Of an existing file, --check reads all and says what it contains and whether',
      'it can be restored here; --key prints the secrets key that it includes',
    ].join('\n'),
    words: { min: 0, max: 1, called: 'the name of one file' },
    options: { 'with-key': 'flag', 'without-secrets': 'flag', check: 'flag', key: 'flag' },
    async run({ words: [file], flags }) {
      if (flags.size > 1) throw new WrongSetting(`kontor backup takes one of --${[...flags].join(', --')}, not all.`)
      const [flag] = flags
      if (flag === 'check' || flag === 'key') return read(flag, file)
      const [withKey, withoutSecrets] = [flag === 'with-key', flag === 'without-secrets']
      await backupOnly(readConfig(process.env), { file, version: buildVersion, withKey, withoutSecrets }, say)
    },
  },
  {
    name: 'restore',
    takes: '<file> [--without-secrets]',
    about:
      'restores a backup into an empty database and verifies it.\nWith --without-secrets: although its key is lost; what it encrypted is marked as lost',
    words: { min: 1, max: 1, called: 'the name of one file' },
    options: { 'without-secrets': 'flag' },
    async run({ words: [file = ''], flags }) {
      const withoutSecrets = flags.has('without-secrets')
      process.exitCode = (await restoreOnly(readConfig(process.env), { file, withoutSecrets }, say)) ? 0 : 1
    },
  },
]

async function read(flag: 'check' | 'key', file: string | undefined): Promise<void> {
  if (!file) throw new WrongSetting(`kontor backup --${flag} needs the name of a file.`)
  if (flag === 'key') return keyOnly(withoutDatabase(), file, say)
  process.exitCode = (await checkOnly(withoutDatabase(), file, buildVersion, say)) ? 0 : 1
}
