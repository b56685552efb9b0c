import { Temporal } from 'temporal-polyfill'
import { type Failed, type ScheduledBackups, startScheduledBackups } from '../../backup/scheduled/scheduled-backups.ts'
import type { Config } from '../../config/config.ts'
import { buildVersion } from '../../core/observe/build-version.ts'
import type { DatabaseConfig } from '../../db/pool.ts'
import { demoEmail } from '../../demo/access.ts'
import { notifyOwners } from '../../features/company/notifications/notify-owners.ts'
import type { App } from '../app.ts'
import { storagePrefix } from '../data-folder/storage-prefix.ts'
import { backupRequest } from './start-backup.ts'

/** Starts the scheduled backups, if a folder for them is set. */
export async function scheduleBackups(
  config: Config,
  database: DatabaseConfig,
  app: App,
): Promise<{ stop(): Promise<void> }> {
  const scheduled = await scheduledBackups(config, database, app)
  return scheduled ? startScheduledBackups(scheduled) : { stop: async () => {} }
}

/** What the scheduled backups of this installation are made with; undefined if there are none. */
export async function scheduledBackups(
  config: Config,
  database: DatabaseConfig,
  { system, providers, server }: Pick<App, 'system' | 'providers' | 'server'>,
): Promise<ScheduledBackups | undefined> {
  const { folder, at, keepDays, keepWeeks } = config.backups
  if (!folder) return undefined
  return {
    database,
    folder,
    at,
    retention: { keepDays, keepWeeks, zone: Temporal.Now.timeZoneId() },
    home: await storagePrefix(system),
    request: () => ({ ...backupRequest(config, database, providers.storage), version: buildVersion }),
    now: () => new Date(),
    log: server.log,
    notify: async (failed) => notifyPeople(config.mode, system, failed),
  }
}

/**
 * In local mode the people who use Kontor also run it; nobody needs the books of the demo back. In strict mode they are
 * customers of those who run it, who have the metrics and the log (docs/decisions/0086).
 */
async function notifyPeople(mode: Config['mode'], system: App['system'], data: Failed) {
  if (mode === 'local') await system.use((db) => notifyOwners(db, { kind: 'BACKUP_FAILED', data, except: [demoEmail] }))
}
