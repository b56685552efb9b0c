import { Temporal } from 'temporal-polyfill'

/** A backup file of the schedule, and when it was taken. */
export type ScheduledFile = { name: string; takenAt: Date }

export type Retention = { keepDays: number; keepWeeks: number; zone: string }

/**
 * The files to remove: all but the newest of each of the last days, and of each of the last weeks, that have a backup. Days
 * without one do not count, so that a machine that was off for months does not lose its old backups with the first new one.
 */
export function toRemove(files: readonly ScheduledFile[], { keepDays, keepWeeks, zone }: Retention): ScheduledFile[] {
  const newestFirst = [...files].sort((a, b) => b.takenAt.getTime() - a.takenAt.getTime())
  const kept = new Set([
    ...newestOfEach(newestFirst, (file) => dayOf(file, zone).toString()).slice(0, Math.max(1, keepDays)),
    ...newestOfEach(newestFirst, (file) => weekOf(file, zone)).slice(0, keepWeeks),
  ])
  return newestFirst.filter((file) => !kept.has(file))
}

function newestOfEach(newestFirst: readonly ScheduledFile[], periodOf: (file: ScheduledFile) => string) {
  const periods = new Map<string, ScheduledFile>()
  for (const file of newestFirst) if (!periods.has(periodOf(file))) periods.set(periodOf(file), file)
  return [...periods.values()]
}

const dayOf = ({ takenAt }: ScheduledFile, zone: string) =>
  Temporal.Instant.fromEpochMilliseconds(takenAt.getTime()).toZonedDateTimeISO(zone).toPlainDate()

/** The Monday of its week. */
function weekOf(file: ScheduledFile, zone: string): string {
  const day = dayOf(file, zone)
  return day.subtract({ days: day.dayOfWeek - 1 }).toString()
}
