/** Kontor cannot start. The message is a sentence that the operator can act on, shown without a stack trace. */
export class StartFailure extends Error {
  override name = 'StartFailure'
}

/** Turns an error of the file system about the data folder, or a path in it, into a sentence. Unknown errors are returned as they are. */
export function folderFailure(error: unknown, folder: string, path = folder): unknown {
  const elsewhere = 'set KONTOR_DATA to another folder'
  switch (codeOf(error)) {
    case 'EACCES':
    case 'EPERM':
      return new StartFailure(
        `Kontor cannot write to its data folder ${folder}${path === folder ? '' : ` (${path})`}: give the user that runs Kontor access to it, or ${elsewhere}.`,
      )
    case 'EROFS':
      return new StartFailure(`The data folder ${folder} is on a read-only disk: ${elsewhere}.`)
    case 'ENOSPC':
    case 'EDQUOT':
      return diskFull(folder)
    case 'EEXIST':
    case 'ENOTDIR':
      return new StartFailure(
        `The data folder ${folder} cannot be created, because a file with that name exists: ${elsewhere}.`,
      )
    case 'ENAMETOOLONG':
      return new StartFailure(`The name of the data folder ${folder} is too long: ${elsewhere}.`)
    case 'ENOENT':
      return new StartFailure(`The data folder ${folder} cannot be created there: ${elsewhere}.`)
    default:
      return error
  }
}

export const diskFull = (folder: string): StartFailure =>
  new StartFailure(
    `The disk that holds ${folder} is full: free some space, or set KONTOR_DATA to a folder on another disk.`,
  )

/** Finds the reason in the log of a PostgreSQL that did not start. */
export function serverFailure(log: string, { folder, logFile }: { folder: string; logFile: string }): StartFailure {
  if (/No space left on device|Disk quota exceeded/.test(log)) return diskFull(folder)
  if (/could not (create|map|attach to|resize) .*shared memory/.test(log)) {
    return new StartFailure(
      `This machine gives PostgreSQL too little shared memory: allow at least 128 MB of it (in a container, --shm-size). The details are in ${logFile}.`,
    )
  }
  const lines = log.match(/(?:FATAL|PANIC|ERROR|error): +.+/g) ?? []
  const reason = lines.at(-1)?.replace(/^\w+: +/, '') ?? 'it gave no reason'
  return new StartFailure(`PostgreSQL could not start on ${folder}: ${reason} (its log is ${logFile}).`)
}

export const codeOf = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined
