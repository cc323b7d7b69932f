import type { Page } from '../../boot.ts'
import { CopyButton } from '../../ui/copy.tsx'
import { Empty } from '../../ui/states.tsx'

const FORM = `<form data-service data-success="Thank you.">
  <label>Name <input name="name" required></label>
  <label>Guests <input type="number" name="guests"></label>
  <button>Send</button>
</form>`

/** Nobody has answered: how to collect, or where to send people. */
export function NoResponses({ page, isCollecting }: { page: Page; isCollecting: boolean }) {
  if (isCollecting) {
    return (
      <Empty title="No responses yet">
        <p>The page collects them. They show here by themselves as they come in.</p>
        <CopyButton text={page.url} label="Copy link" />
      </Empty>
    )
  }
  return (
    <Empty title={page.is_published ? 'This page collects nothing yet' : 'Not published yet'}>
      <p>
        Mark a form with <code className="text-13">data-service</code> and publish: what people send
        shows here, without an address, a key or a script.
      </p>
      <pre className="max-w-full break-words whitespace-pre-wrap rounded-card border border-line bg-raised p-4 text-13">
        {FORM}
      </pre>
      <div className="flex flex-wrap items-center gap-3">
        <CopyButton text={FORM} label="Copy form" />
        <a href="/docs/forms" className="link" target="_blank" rel="noopener">
          More about forms
        </a>
      </div>
    </Empty>
  )
}
