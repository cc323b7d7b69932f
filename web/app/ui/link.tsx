import type { ComponentProps, ReactNode } from 'preact/compat'
import { Link } from 'wouter-preact'

/** A link to another screen that looks like one. */
export function TextLink(props: { href: string; children: ReactNode }) {
  return <Link className="link" {...props} />
}

/** A link that opens a tab of its own. */
export function NewTabLink(props: ComponentProps<'a'>) {
  return <a target="_blank" rel="noopener" {...props} />
}
