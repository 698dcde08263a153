// CouchDB's API in memory, for the tests of the CouchDB connector.
//
// PORT (0 for any free one), ADMIN and PASSWORD come from the environment; TLS_KEY and TLS_CERT
// name PEM files where it is to speak TLS. The first line on standard output is the port. The
// server ends when its standard input does, so that it never outlives the test that started it.
'use strict';

const fs = require('node:fs');
const http = require('node:http');
const https = require('node:https');
const crypto = require('node:crypto');
const express = require('express');

// PouchDB keeps its list of databases beside itself unless told otherwise.
const PouchDB = require('pouchdb-core')
  .plugin(require('pouchdb-adapter-memory'))
  .plugin(require('pouchdb-adapter-http'))
  .plugin(require('pouchdb-mapreduce'))
  .plugin(require('pouchdb-find'))
  .plugin(require('pouchdb-replication'))
  .defaults({ adapter: 'memory' });

const admin = process.env.ADMIN || 'admin';
const password = process.env.PASSWORD || 'secret';
const basic = 'Basic ' + Buffer.from(admin + ':' + password).toString('base64');
const sessions = new Set();

const app = express();
app.disable('x-powered-by');

app.post('/_session', express.json(), express.urlencoded({ extended: false }), (req, res) => {
  // Either name is CouchDB's.
  const name = req.body.name || req.body.username;
  if (name !== admin || req.body.password !== password) {
    res.status(401).json({ error: 'unauthorized', reason: 'Name or password is incorrect.' });
    return;
  }
  const token = crypto.randomBytes(16).toString('hex');
  sessions.add(token);
  res.set('Set-Cookie', 'AuthSession=' + token + '; Version=1; Path=/; HttpOnly');
  res.json({ ok: true, name: admin, roles: ['_admin'] });
});

app.use((req, res, next) => {
  const cookie = /(?:^|; )AuthSession=([0-9a-f]+)/.exec(req.headers.cookie || '');
  if (req.headers.authorization === basic || (cookie && sessions.has(cookie[1]))) {
    next();
    return;
  }
  res.status(401).json({ error: 'unauthorized', reason: 'You are not a server admin.' });
});

// express-pouchdb keeps no security object without its authorization part, which needs files.
const security = new Map();
app.get('/:db/_security', (req, res) => res.json(security.get(req.params.db) || {}));
app.put('/:db/_security', express.json(), (req, res) => {
  security.set(req.params.db, req.body);
  res.json({ ok: true });
});

// PouchDB does not count deleted documents; couchrestore wants to hear that there are none.
app.get('/:db', (req, res, next) => {
  const send = res.send.bind(res);
  res.send = (body) => {
    const info = JSON.parse(body);
    return send(info.doc_count === 0 ? JSON.stringify({ ...info, doc_del_count: 0 }) : body);
  };
  next();
});

app.use(require('express-pouchdb')(PouchDB, { mode: 'minimumForPouchDB' }));

const server = process.env.TLS_KEY
  ? https.createServer(
      { key: fs.readFileSync(process.env.TLS_KEY), cert: fs.readFileSync(process.env.TLS_CERT) },
      app)
  : http.createServer(app);
server.keepAliveTimeout = 60000;
server.listen(Number(process.env.PORT || 0), '127.0.0.1', () => {
  console.log(server.address().port);
});
process.stdin.on('end', () => process.exit(0));
process.stdin.resume();
