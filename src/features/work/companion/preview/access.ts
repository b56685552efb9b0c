import { labelOf } from './labels.ts'
import type { Input, Line } from './preview-types.ts'
import { type Reader, type Row, rowsOf } from './reader.ts'
import { readRecord } from './records.ts'
import type { Tell } from './told.ts'
import { both, change, clean, line, quoted } from './values.ts'

/** Who has access, and what acts by itself. */

const member = (reader: Reader, { userId }: Input) => readRecord(reader, 'users', String(userId), {})

const changeRole: Tell = async (reader, input) => {
  const row = await member(reader, input)
  const [name, before, after] = [quoted(row.name), clean(row.role), clean(input.role)]
  const handsOver = input.transfer === true
  return {
    title: both(
      `Change the role of ${name} from ${before} to ${after}${handsOver ? ' and hand the ownership over' : ''}`,
      `שינוי התפקיד של ${name} מ-${before} ל-${after}${handsOver ? ' והעברת הבעלות' : ''}`,
    ),
    lines: [
      ...line(labelOf('userId'), name),
      ...line(labelOf('email'), row.email),
      ...line(labelOf('role'), change(before, after)),
    ],
  }
}

const removeMember: Tell = async (reader, input) => {
  const row = await member(reader, input)
  const name = quoted(row.name)
  return {
    title: both(`Remove ${name} from the organization, at once`, `הסרת ${name} מהארגון, באופן מיידי`),
    lines: [...line(labelOf('userId'), name), ...line(labelOf('email'), row.email), ...line(labelOf('role'), row.role)],
  }
}

/** What starts an automation, and what its steps do. */
function graphLines({ blocks }: Row): Line[] {
  const ofKind = (kind: string) => rowsOf(blocks).filter((block) => block.kind === kind)
  const inputOf = ({ config }: Row) => (config as Row | undefined)?.input ?? config
  const text = (block: Row) =>
    [clean(block.ref), clean(inputOf(block))].filter((part) => part && part !== '{}').join(': ')
  return [
    ...ofKind('TRIGGER').flatMap((block) => line(labelOf('starts'), text(block))),
    ...ofKind('ACTION').flatMap((block) => line(labelOf('step'), text(block))),
  ]
}

const ofAutomation =
  (en: (name: string) => string, he: (name: string) => string): Tell =>
  async (reader, input, common) => {
    const row = await reader.read('automations_get', { id: input.id })
    const name = quoted(row.name)
    const given = common.lines.filter(({ label }) => label.en !== labelOf('record').en)
    return {
      title: both(en(name), he(name)),
      lines: [...graphLines({ ...row, ...(Array.isArray(input.blocks) && { blocks: input.blocks }) }), ...given],
      warnings: rowsOf(row.warnings).map(({ message }) => clean(message)),
    }
  }

export const access: Record<string, Tell> = {
  users_member_update: changeRole,
  users_member_delete: removeMember,
  automations_enable: ofAutomation(
    (name) => `Enable the automation ${name}: it acts by itself from now on`,
    (name) => `הפעלת האוטומציה ${name}: מעתה היא פועלת מעצמה`,
  ),
  automations_test: ofAutomation(
    (name) => `Run the automation ${name} now, with all of its effects`,
    (name) => `הרצת האוטומציה ${name} עכשיו, על כל השפעותיה`,
  ),
}
