-- One query after the other, each ended by a semicolon; see docs/ignite.md for the comments.

-- name: point
-- weight: 4
SELECT * FROM StockOrder WHERE id = ?;

-- name: range
-- weight: 2
-- params: key, previous+49
SELECT id, price, quantity FROM StockOrder WHERE id BETWEEN ? AND ?;

-- name: in
-- weight: 2
-- params: key, other, other, other, other
SELECT id, price, quantity FROM StockOrder WHERE id IN (?, ?, ?, ?, ?);

-- name: search
-- params: 1..100000, previous+20
SELECT id, price FROM StockOrder WHERE quantity BETWEEN ? AND ?;

-- name: join
-- params: key, previous+9
SELECT o.id, o.price, d.amount FROM StockOrder o JOIN Detail d ON d.parent = o.id WHERE o.id BETWEEN ? AND ?;

-- name: aggregate
-- params: 1..100000, previous+1000
SELECT status, COUNT(*), SUM(quantity), MAX(price) FROM StockOrder WHERE quantity BETWEEN ? AND ? GROUP BY status;
