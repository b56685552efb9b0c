import { useState } from 'react'
import { call, type Input, Refused } from '../../../api.ts'
import { useOwnCountry } from '../../../country.ts'
import { useMay } from '../../../session.ts'
import { Button } from '../../../ui/button.tsx'
import { Menu } from '../../../ui/overlays/menu.tsx'
import { saveFile } from '../../../ui/values/save-file.ts'
import { useWords } from '../../../words.ts'
import { useTry } from '../editor/try.ts'
import { clearanceWords } from './clearance-words.ts'
import { type Doc, Part } from './content.tsx'

type Format = NonNullable<Input<'invoices_einvoice'>['format']>

/** Whether a document has an e-invoice: issued invoices and memos do. */
export const isEInvoice = ({ status, documentType }: Doc) =>
  status !== 'DRAFT' && documentType !== 'RECEIPT' && documentType !== 'PAYMENT_REQUEST'

/** The document as a file for the customer's software; what is missing for that is listed instead. */
export function EInvoice({ doc }: { doc: Doc }) {
  const say = useWords(clearanceWords)
  const may = useMay()
  const { einvoiceFormats } = useOwnCountry()
  const [missing, setMissing] = useState<string[]>([])
  const { act, busy, problem } = useTry()
  if (!isEInvoice(doc) || !may('invoices_einvoice')) return null
  const download = (format?: Format) =>
    act(async () => {
      setMissing([])
      const name = `${(doc.invoiceNumber ?? '').replace(/[\\/:*?"<>|]+/g, '-')}.${format === 'facturx' ? 'pdf' : 'xml'}`
      try {
        saveFile(await call('invoices_einvoice', { id: doc.id, ...(format && { format }) }), name)
      } catch (error) {
        if (!(error instanceof Refused) || error.code !== 'EINVOICE_INCOMPLETE') throw error
        setMissing(error.details.map(({ path, message }) => say.fields[path] ?? message))
      }
    })
  const formats = (Object.keys(say.formats) as Format[]).filter((format) => einvoiceFormats.includes(format))
  return (
    <Part
      title={say.einvoice}
      tools={
        <span className="flex gap-1">
          <Button icon="download" busy={busy} onPress={() => void download()}>
            {say.download}
          </Button>
          <Menu
            trigger={<Button look="quiet" icon="more" label={say.otherFormat} />}
            entries={formats.map((format) => ({ label: say.formats[format], on: () => void download(format) }))}
          />
        </span>
      }
    >
      {missing.length > 0 ? (
        <div role="alert" className="text-sm text-danger bg-danger-wash rounded-md px-3 py-2 grid gap-1">
          <p>{say.missing}</p>
          <ul className="list-disc ps-5">
            {[...new Set(missing)].map((each) => (
              <li key={each}>
                <bdi>{each}</bdi>
              </li>
            ))}
          </ul>
        </div>
      ) : problem ? (
        <p role="alert" className="text-sm text-danger">
          {problem}
        </p>
      ) : (
        <p className="text-sm text-soft">{say.usual}</p>
      )}
    </Part>
  )
}
