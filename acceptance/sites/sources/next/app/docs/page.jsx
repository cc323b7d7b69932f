import Link from 'next/link'
import Counter from '../counter.jsx'

export default function Docs() {
  return (
    <main>
      <h1>Docs</h1>
      <p>How to moor.</p>
      <Counter name="knots" />
      <Link href="/about">About</Link>
    </main>
  )
}
