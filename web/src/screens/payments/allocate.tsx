import { useState } from 'react'
import { useWrite } from '../../api.ts'
import { Money } from '../../shown.tsx'
import { Alert } from '../../ui/alert.tsx'
import { Button } from '../../ui/button.tsx'
import { Skeleton } from '../../ui/card.tsx'
import { Dialog } from '../../ui/overlays/dialog.tsx'
import { useWords } from '../../words.ts'
import { touched, useAct } from './act.ts'
import type { Payment } from './peek.tsx'
import { propose, remainder } from './propose.ts'
import { type Shares, ShareTable, toAllocations, useOpenDocuments } from './shares.tsx'
import { paymentWords } from './words.ts'

/** What is left of a payment goes to open documents of its customer. */
export function AllocateDialog({ payment, onClose }: { payment: Payment; onClose: () => void }) {
  const say = useWords(paymentWords)
  const { currency, openRemainder: amount } = payment
  const documents = useOpenDocuments(payment.customerId)?.filter((each) => each.currency === currency)
  const [typed, setTyped] = useState<Shares>()
  const shares = typed ?? propose(amount, documents ?? [], currency)
  const allocate = useWrite('invoices_payments_allocate', touched)
  const act = useAct(async (key) => {
    await allocate.mutateAsync({ id: payment.id, allocations: toAllocations(shares), key })
    return say.allocated
  }, onClose)
  const isWrong = toAllocations(shares).length === 0 || remainder(amount, shares, currency) < 0
  return (
    <Dialog
      wide
      title={say.allocate}
      onClose={onClose}
      footer={
        <Button look="primary" icon="merge" busy={act.busy} isDisabled={isWrong} onPress={act.go}>
          {say.allocate}
        </Button>
      }
    >
      <p>
        {say.left}: <Money amount={amount} currency={currency} />
      </p>
      {act.problem && <Alert>{act.problem}</Alert>}
      {documents === undefined ? (
        <Skeleton className="h-40" />
      ) : documents.length === 0 ? (
        <p className="text-soft">{say.noOpen}</p>
      ) : (
        <ShareTable
          amount={amount}
          currency={currency}
          documents={documents}
          shares={shares}
          onShares={setTyped}
          onPropose={() => setTyped(undefined)}
        />
      )}
    </Dialog>
  )
}
