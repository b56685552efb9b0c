import type { Refused } from '../../../api.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/overlays/dialog.tsx'
import { useWords } from '../../../words.ts'
import { panelWords } from '../panels/panel-words.ts'

type ConflictProps = { refused: Refused; busy: boolean; onOver: () => void; onTheirs: () => void; onClose: () => void }

/** Two people saved at once: who changed what, and the two ways on. */
export function Conflict({ refused, busy, onOver, onTheirs, onClose }: ConflictProps) {
  const say = useWords(panelWords)
  const changes = refused.details.filter(({ path }) => path.startsWith('blocks') || path.startsWith('edges'))
  return (
    <Dialog
      title={say.conflict}
      onClose={onClose}
      footer={
        <>
          <Button look="danger" busy={busy} onPress={onOver}>
            {say.conflictAct}
          </Button>
          <Button look="primary" autoFocus onPress={onTheirs}>
            {say.conflictTheirs}
          </Button>
        </>
      }
    >
      <p>
        <bdi>{refused.message}</bdi>
      </p>
      {changes.length > 0 && (
        <ul className="list-disc ps-5">
          {changes.map(({ path, message }) => (
            <li key={path}>
              <bdi>{message}</bdi>
            </li>
          ))}
        </ul>
      )}
      <p className="text-soft">{say.conflictAdvice}</p>
    </Dialog>
  )
}
