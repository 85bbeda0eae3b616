delete from replay
