import { fromFolderName, toFolderName } from '../../core/values/folder-name.ts'
import { textOf } from './imap-arguments.ts'
import type { Handler, ImapConnection } from './imap-connection.ts'
import { string } from './message.ts'
import { folderOf, type MailFolder } from './store.ts'

const foldersOf = async ({ account }: ImapConnection) => (await account?.folders()) ?? []
const uidNextOf = ({ messages }: MailFolder) => (messages.at(-1)?.uid ?? 0) + 1

const select =
  (isReadOnly: boolean): Handler =>
  async (connection, { arguments: [name] }) => {
    connection.open = undefined
    const folder = folderOf(await foldersOf(connection), fromFolderName(textOf(name)))
    if (!folder) return 'NO [NONEXISTENT] There is no such folder'
    connection.open = { folder, messages: [...folder.messages], isReadOnly }
    const unseen = folder.messages.findIndex(({ flags }) => !flags.has('\\Seen'))
    await connection.peer.send(
      [
        `* FLAGS (${flags})`,
        `* ${folder.messages.length} EXISTS`,
        '* 0 RECENT',
        ...(unseen < 0 ? [] : [`* OK [UNSEEN ${unseen + 1}] First unread message`]),
        `* OK [PERMANENTFLAGS (${isReadOnly ? '' : flags})] Flags that clients may set`,
        `* OK [UIDVALIDITY ${folder.uidValidity}] UIDs are valid`,
        `* OK [UIDNEXT ${uidNextOf(folder)}] Next UID`,
        '',
      ].join('\r\n'),
    )
    return `OK [${isReadOnly ? 'READ-ONLY' : 'READ-WRITE'}] Done`
  }

const list =
  (answer: 'LIST' | 'LSUB'): Handler =>
  async (connection, { arguments: [reference, pattern] }) => {
    const { peer } = connection
    if (textOf(pattern) === '') {
      await peer.send(`* ${answer} (\\Noselect) "/" ""\r\n`)
      return 'OK Done'
    }
    const matches = patternOf(`${textOf(reference)}${textOf(pattern)}`)
    const folders = await foldersOf(connection)
    for (const { name } of folders) {
      const sent = toFolderName(name)
      const hasChildren = folders.some((other) => other.name.startsWith(`${name}/`))
      if (matches(sent))
        await peer.send(`* ${answer} (\\Has${hasChildren ? '' : 'No'}Children) "/" ${string(sent)}\r\n`)
    }
    return 'OK Done'
  }

/** `*` is any text, `%` any text of one level. */
function patternOf(pattern: string): (name: string) => boolean {
  const parts = pattern.split(/([*%]+)/).map((part) => {
    if (/^[*%]/.test(part)) return part.includes('*') ? '.*' : '[^/]*'
    return part.replace(/[.+?^${}()|[\]\\]/g, '\\$&')
  })
  const expression = new RegExp(`^${parts.join('')}$`, 's')
  return (name) =>
    expression.test(name) || (name === 'INBOX' && expression.test(pattern.toUpperCase() === 'INBOX' ? pattern : name))
}

const cannot: Handler = async () => 'NO [CANNOT] Folders and messages cannot be changed here'

/** Commands of a client that has signed in. */
export const folderCommands: Record<string, Handler> = {
  SELECT: select(false),
  EXAMINE: select(true),
  LIST: list('LIST'),
  LSUB: list('LSUB'),

  STATUS: async (connection, { arguments: [name, items] }) => {
    const folder = folderOf(await foldersOf(connection), fromFolderName(textOf(name)))
    if (!folder) return 'NO [NONEXISTENT] There is no such folder'
    const values: Record<string, number> = {
      MESSAGES: folder.messages.length,
      RECENT: 0,
      UIDNEXT: uidNextOf(folder),
      UIDVALIDITY: folder.uidValidity,
      UNSEEN: folder.messages.filter((message) => !message.flags.has('\\Seen')).length,
    }
    const asked = Array.isArray(items) ? items.map((item) => textOf(item).toUpperCase()) : []
    if (asked.length === 0 || asked.some((item) => !(item in values))) return 'BAD Unknown item'
    const told = asked.map((item) => `${item} ${values[item]}`).join(' ')
    await connection.peer.send(`* STATUS ${string(toFolderName(folder.name))} (${told})\r\n`)
    return 'OK Done'
  },

  NAMESPACE: async ({ peer }) => {
    await peer.send('* NAMESPACE (("" "/")) NIL NIL\r\n')
    return 'OK Done'
  },

  NOOP: async (connection) => {
    await tellChanges(connection)
    return 'OK Done'
  },

  IDLE: async (connection) => {
    const { peer } = connection
    await peer.send('+ Idling\r\n')
    await tellChanges(connection)
    const said = (await peer.line()).toString('latin1')
    await tellChanges(connection)
    return said.toUpperCase() === 'DONE' ? 'OK Done' : 'BAD DONE was expected'
  },

  SUBSCRIBE: async () => 'OK Done',
  UNSUBSCRIBE: async () => 'OK Done',
  CREATE: cannot,
  DELETE: cannot,
  RENAME: cannot,
  APPEND: cannot,
}

/** Tells the client what changed in the open folder. */
async function tellChanges(connection: ImapConnection): Promise<void> {
  const { open, peer } = connection
  if (!open) return
  const folder = folderOf(await foldersOf(connection), open.folder.name)
  if (!folder || folder.uidValidity !== open.folder.uidValidity) return
  const current = new Map(folder.messages.map((message) => [message.uid, message]))
  for (let at = open.messages.length - 1; at >= 0; at -= 1) {
    if (current.has(open.messages[at]?.uid ?? 0)) continue
    open.messages.splice(at, 1)
    await peer.send(`* ${at + 1} EXPUNGE\r\n`)
  }
  if (folder.messages.length > open.messages.length) await peer.send(`* ${folder.messages.length} EXISTS\r\n`)
  open.messages = [...folder.messages]
}

const flags = '\\Answered \\Flagged \\Deleted \\Seen \\Draft'
