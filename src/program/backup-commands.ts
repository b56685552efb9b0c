import { readConfig } from '../config/config.ts'
import { productVersion } from '../core/values/product-version.ts'
import type { Command } from './command.ts'
import { say } from './say.ts'
import { backupOnly, restoreOnly } from './start-backup.ts'

/** The commands that write and read backups. */
export const backupCommands: readonly Command[] = [
  {
    name: 'backup',
    takes: '[file]',
    about: 'writes everything into one file, while Kontor runs or not; the secrets key is not included',
    words: { min: 0, max: 1, called: 'the name of one file' },
    run: ({ words: [file] }) => backupOnly(readConfig(process.env), file, productVersion, say),
  },
  {
    name: 'restore',
    takes: '<file>',
    about: 'restores a backup into an empty database and verifies it',
    words: { min: 1, max: 1, called: 'the name of one file' },
    async run({ words: [file = ''] }) {
      process.exitCode = (await restoreOnly(readConfig(process.env), file, say)) ? 0 : 1
    },
  },
]
