import Link from 'next/link'
import Counter from '../counter.jsx'

export default function About() {
  return (
    <main>
      <h1>About</h1>
      <p>The harbour is open from April.</p>
      <Counter name="quays" />
      <Link href="/">Home</Link>
    </main>
  )
}
