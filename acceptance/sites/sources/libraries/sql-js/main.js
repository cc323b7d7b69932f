async function count() {
  const SQL = await initSqlJs({ locateFile: (name) => name })
  const bytes = await (await fetch('birds.sqlite')).arrayBuffer()
  const database = new SQL.Database(new Uint8Array(bytes))
  const [{ values }] = database.exec('SELECT count(*), sum(wings) FROM birds')
  document.getElementById('app').textContent = `${values[0][0]} birds have ${values[0][1]} wings.`
}
count()
