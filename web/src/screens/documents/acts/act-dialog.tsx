import type { ReactNode } from 'react'
import type { Doc } from '../document/content.tsx'
import { useDoubtWords } from '../editor/doubts.ts'
import {
  AllocationDialog,
  CancelDialog,
  ConvertDialog,
  DisputeDialog,
  RenewDialog,
  TermsDialog,
} from './act-dialogs.tsx'
import type { Act } from './acts.ts'
import { MemoDialog } from './memo.tsx'
import { PayDialog } from './pay.tsx'
import { SendDialog } from './send.tsx'

type DialogProps = { act: Act; doc: Doc; onClose: () => void; onUrl: (url: string) => Promise<void> }

/** The dialog of an act. */
export function ActDialog({ act, doc, onClose, onUrl }: DialogProps): ReactNode {
  const inWords = useDoubtWords()
  const given = { doc, onClose }
  switch (act) {
    case 'send':
      return (
        <SendDialog
          {...given}
          onDone={onClose}
          doubts={doc.status === 'DRAFT' ? (doc.warnings ?? []).map(inWords) : []}
        />
      )
    case 'remind':
      return <SendDialog {...given} kind="REMINDER" onDone={onClose} />
    case 'pay':
      return <PayDialog {...given} />
    case 'credit':
      return <MemoDialog {...given} kind="CREDIT" />
    case 'debit':
      return <MemoDialog {...given} kind="DEBIT" />
    case 'dispute':
    case 'answer':
    case 'resolve':
      return <DisputeDialog {...given} move={act} />
    case 'convert':
      return <ConvertDialog {...given} />
    case 'cancel':
      return <CancelDialog {...given} />
    case 'renew':
      return <RenewDialog {...given} onUrl={onUrl} />
    case 'allocation':
      return <AllocationDialog {...given} />
    default:
      return <TermsDialog {...given} />
  }
}
