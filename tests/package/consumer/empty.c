extern int consumer_has_no_code_here;
