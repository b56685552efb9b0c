import { modKey } from '../keys.ts'
import { useMay } from '../session.ts'
import { Kbd } from '../ui/button.tsx'
import { Dialog } from '../ui/overlays/dialog.tsx'
import { useWords, words } from '../words.ts'
import { placesFor, shellWords } from './places.ts'

const said = words(
  {
    title: 'Keyboard',
    everywhere: 'Everywhere',
    lists: 'In lists',
    forms: 'In forms',
    go: 'Go to',
    palette: 'Search or do',
    companion: 'Companion',
    search: 'Search in this page',
    keys: 'This list',
    create: 'Create',
    move: 'Move',
    open: 'Open',
    select: 'Select',
    close: 'Close or clear',
    submit: 'Save',
    undo: 'Take back',
  },
  {
    title: 'מקלדת',
    everywhere: 'בכל מקום',
    lists: 'ברשימות',
    forms: 'בטפסים',
    go: 'מעבר אל',
    palette: 'חיפוש או פעולה',
    companion: 'העוזר',
    search: 'חיפוש בדף',
    keys: 'הרשימה הזאת',
    create: 'יצירה',
    move: 'תנועה',
    open: 'פתיחה',
    select: 'בחירה',
    close: 'סגירה או ניקוי',
    submit: 'שמירה',
    undo: 'ביטול הפעולה',
  },
)

/** Every key there is. */
export function KeysDialog({ onClose }: { onClose: () => void }) {
  const say = useWords(said)
  const shell = useWords(shellWords)
  const may = useMay()
  const go = placesFor(may).flatMap(({ key, name }): [string, string][] =>
    key ? [[`G ${key.toUpperCase()}`, shell.places[name]]] : [],
  )
  return (
    <Dialog title={say.title} onClose={onClose} wide>
      <div className="grid sm:grid-cols-2 gap-x-8 gap-y-5">
        <Keys
          title={say.everywhere}
          rows={[
            [`${modKey} K`, say.palette],
            ...(may('companion_write_sessions') ? [[`${modKey} J`, say.companion] as [string, string]] : []),
            ['/', say.search],
            ['?', say.keys],
          ]}
        />
        <Keys
          title={say.lists}
          rows={[
            ['C', say.create],
            ['J K', say.move],
            ['↵', say.open],
            ['X', say.select],
            ['esc', say.close],
          ]}
        />
        <Keys
          title={say.forms}
          rows={[
            [`${modKey} ↵`, say.submit],
            [`${modKey} Z`, say.undo],
          ]}
        />
        <Keys title={say.go} rows={go} />
      </div>
    </Dialog>
  )
}

const Keys = ({ title, rows }: { title: string; rows: [string, string][] }) => (
  <section>
    <h3 className="text-sm text-soft mb-1">{title}</h3>
    <dl className="grid grid-cols-[5rem_minmax(0,1fr)] gap-y-1.5">
      {rows.map(([keys, what]) => (
        <div key={keys} className="contents">
          <dt>
            <Kbd>{keys}</Kbd>
          </dt>
          <dd>{what}</dd>
        </div>
      ))}
    </dl>
  </section>
)
