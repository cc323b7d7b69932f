/** @jsxImportSource preact */
export default function Depth() {
  return <p>The deepest is 31 metres deep.</p>
}
