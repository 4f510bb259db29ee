# Models of a Box-Behnken design of three factors whose terms are chosen by backward elimination with AICc:
# predictions with the covariance of the full quadratic model and the larger error of both; p of the model by
# permuting the response through the choice. Known answers of tests/core/model/model_choice_test.cpp (R 4.2.2).
g <- rbind(c(-1,-1,0),c(1,-1,0),c(-1,1,0),c(1,1,0),c(-1,0,-1),c(1,0,-1),c(-1,0,1),c(1,0,1),
           c(0,-1,-1),c(0,1,-1),c(0,-1,1),c(0,1,1),c(0,0,0),c(0,0,0),c(0,0,0))
colnames(g) <- c("A","B","C"); d <- as.data.frame(g)
weak <- c(10.3,11.9,9.6,12.8,8.9,12.1,10.9,11.2,11.6,9.4,10.2,11.7,12.4,11.1,12.0)
strong <- c(9.2,14.9,11.3,13.2,9.7,15.1,9.9,13.4,12.6,11.3,12.5,12.4,12.4,10.8,13.1)
for (y in list(weak, strong)) {
terms <- c("A","B","C","I(A^2)","I(B^2)","I(C^2)","A:B","A:C","B:C") # as model.matrix() orders them
X <- function(t) model.matrix(reformulate(if(length(t)) t else "1"), d)
Xs <- model.matrix(reformulate(terms), d); colnames(Xs)[-1] <- terms
par <- list("A:B"=c("A","B"),"A:C"=c("A","C"),"B:C"=c("B","C"),"I(A^2)"="A","I(B^2)"="B","I(C^2)"="C")
aicc <- function(n,p,s){ q <- p+1; if (n-q-1<=0) Inf else n*log(s/n)+2*q+2*q*(q+1)/(n-q-1) }
sse <- function(t,y) sum(.lm.fit(Xs[,c("(Intercept)",t),drop=FALSE],y)$residuals^2)
choose <- function(y){ t <- terms; n <- length(y)
 repeat { cur <- aicc(n,length(t)+1,sse(t,y)); best <- NULL
  isdef <- is.finite(cur); score <- if(isdef) cur else Inf
  for (u in t) { if (any(sapply(t,function(v) u %in% par[[v]]))) next
   s <- sse(setdiff(t,u),y); sc <- if(isdef) aicc(n,length(t),s) else s
   if (sc < score) { score <- sc; best <- u } }
  if (is.null(best)) return(t); t <- setdiff(t,best) } }
tc <- choose(y); print(tc)
ch <- lm(reformulate(tc,"y"), cbind(d,y=y)); fu <- lm(reformulate(terms,"y"), cbind(d,y=y))
cat("sigma chosen",summary(ch)$sigma,ch$df.residual,"full",summary(fu)$sigma,fu$df.residual,"\n")
at <- data.frame(A=.5,B=-.5,C=.25); ctr <- predict(ch,at)
fs <- predict(fu,at,se.fit=TRUE); h <- (fs$se.fit/fs$residual.scale)^2
s <- max(summary(ch)$sigma,summary(fu)$sigma); df <- if (summary(fu)$sigma>=summary(ch)$sigma) fu$df.residual else ch$df.residual
tt <- qt(.975,df); print(c(ctr, ctr-tt*s*sqrt(h), ctr+tt*s*sqrt(h), ctr-tt*s*sqrt(1+h), ctr+tt*s*sqrt(1+h), s*sqrt(h)),digits=12)
p <- function(y){t<-choose(y); if(!length(t)) return(1); m<-length(t); n<-length(y); sst<-sum((y-mean(y))^2); e<-sse(t,y); pf((sst-e)/m/(e/(n-m-1)),m,n-m-1,lower.tail=FALSE)}
set.seed(1); p0 <- p(y); pp <- replicate(4000,p(sample(y))); cat("p",p0,"perm",mean(pp<=p0*(1+1e-9)),"\n")
}
