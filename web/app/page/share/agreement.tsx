import { useQuery } from '@tanstack/preact-query'
import { FileText } from 'lucide-preact'
import { useState } from 'preact/compat'
import { count } from '../../../../src/model/numbers.ts'
import { api, type Page, read } from '../../api.ts'
import { FileButton } from '../../publishing/source-buttons.tsx'
import { Button, buttonClass, PrimaryButton, QuietButton } from '../../ui/button.tsx'
import { Note, Problem, Select, TextArea } from '../../ui/field.tsx'
import { Time } from '../../ui/time.tsx'
import { useAction } from '../../use-action.ts'
import { dataUrl } from '../use-file-url.ts'
import { pageQuery } from '../use-page.ts'
import { PlanNote, Setting, useHasPro } from './section.tsx'
import { useSharing, useUnsent } from './sharing.ts'

const MAX_TEXT = 20_000
/** How many acceptances stand here; the API has all. */
const SHOWN = 5
const REQUIREMENTS = { name: 'A name', email: 'A name and a confirmed address' } as const
type Requirement = keyof typeof REQUIREMENTS

/** What everybody but the owner accepts before they see the page. */
export function Agreement() {
  const { page, save } = useSharing()
  const [isWriting, setWriting] = useState(false)
  const { agreement } = page
  const hasPro = useHasPro()
  function turn(isOn: boolean): void {
    setWriting(isOn)
    if (!isOn && agreement !== null) save('agreement', { agreement: null })
  }
  return (
    <Setting
      field="agreement"
      label="Ask for agreement"
      help={hasPro ? 'Everybody reads it and agrees before they see anything.' : <PlanNote />}
      isOn={agreement !== null || isWriting}
      isDisabled={!hasPro && agreement === null}
      onChange={turn}
    >
      {isWriting ? (
        <AgreementForm page={page} onDone={() => setWriting(false)} />
      ) : (
        agreement && <Accepted page={page} onChange={() => setWriting(true)} />
      )}
    </Setting>
  )
}

function AgreementForm({ page, onDone }: { page: Page; onDone(): void }) {
  const [text, setText] = useState('')
  const [required, setRequired] = useState<Requirement>(page.agreement?.require ?? 'name')
  const [file, setFile] = useState<File | null>(null)
  const saving = useAction(
    async () => {
      const content =
        file === null ? { text } : { file_base64: (await dataUrl(file)).split(',')[1]! }
      await api.updatePage({ id: page.id, agreement: { ...content, require: required } })
    },
    {
      inOrder: ['settings', page.id],
      hasPlace: true,
      refresh: [pageQuery(page.id).queryKey, ['agreements', page.id]],
      onDone,
    },
  )
  const isEmpty = file === null && text.trim() === ''
  useUnsent('the agreement', !isEmpty && !saving.isPending)
  return (
    <>
      <TextArea
        label="Agreement"
        help="Text, as it is shown. A change asks everybody again."
        rows={5}
        maxLength={MAX_TEXT}
        dir="auto"
        disabled={file !== null}
        value={text}
        onText={setText}
      />
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <FileButton
          label="Choose a PDF instead"
          name="PDF of the agreement"
          icon={FileText}
          accept="application/pdf,.pdf"
          isSingle
          onFiles={([pdf]) => setFile(pdf ?? null)}
        />
        {file && <Note>{file.name}</Note>}
      </div>
      <Select
        label="Who agrees gives"
        options={REQUIREMENTS}
        value={required}
        onChange={({ currentTarget: { value } }) => setRequired(value as Requirement)}
      />
      <Problem error={saving.error} />
      <div className="flex flex-wrap gap-2">
        <PrimaryButton mutation={saving} disabled={isEmpty || saving.isPending}>
          Ask everybody
        </PrimaryButton>
        <QuietButton onClick={onDone}>Cancel</QuietButton>
      </div>
    </>
  )
}

function Accepted({ page, onChange }: { page: Page; onChange(): void }) {
  const { id, agreement } = page
  const list = () => api.listAgreements({ id, limit: SHOWN })
  const { data } = useQuery(read(['agreements', id], list, 15_000))
  const people = data && count(data.count, 'person has agreed', 'people have agreed')
  return (
    <>
      <div className="flex flex-wrap items-center justify-between gap-2">
        <Note>
          Version {agreement!.version}, {agreement!.type === 'pdf' ? 'a PDF' : 'a text'}.{' '}
          {people && `${people}.`}
        </Note>
        <div className="flex flex-wrap gap-2">
          {data !== undefined && data.count > 0 && (
            <a
              href={`/app/pages/${id}/agreements.csv`}
              download
              className={`${buttonClass('quiet')} text-13`}
            >
              Download CSV<span className="sr-only"> of who agreed</span>
            </a>
          )}
          <Button onClick={onChange}>Change</Button>
        </div>
      </div>
      {data !== undefined && data.count > 0 && (
        <ul className="grid gap-1 text-13 break-words">
          {data.acceptances.map(({ id: key, name, email, agreement_version: no, accepted_at }) => (
            <li key={key} className="flex flex-wrap justify-between gap-x-4">
              <bdi>
                {name}
                {email && ` · ${email}`}
              </bdi>
              <span className="text-muted">
                version {no}, <Time at={accepted_at} />
              </span>
            </li>
          ))}
        </ul>
      )}
    </>
  )
}
